"""The folders of PolypGen: single frames of a centre, and sequences with and without polyp."""

from dataclasses import dataclass, field
from typing import Final

from endoalign.datasets.listing import Names, stems
from endoalign.datasets.pairs import Pair, read_pairs
from endoalign.datasets.problems import Problem, missing, odd

NAME: Final = "polypgen"


@dataclass
class Rows:
    """What was found so far: rows of the tables, problems and counts."""

    cases: list[dict[str, object]] = field(default_factory=list)
    frames: list[dict[str, object]] = field(default_factory=list)
    masks: list[dict[str, object]] = field(default_factory=list)
    labels: list[dict[str, object]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    counted: dict[str, int] = field(default_factory=dict)


def _mask_stems(stem: str) -> tuple[str, ...]:
    return (f"{stem}_mask", stem)


def read_centre(names: Names, base: str, centre: str, rows: Rows) -> None:
    """Add the single frames of a centre, each a case; ``base`` is the archive's folder or empty."""
    folder = f"{base}data_{centre}"
    pairs = _pairs(names, f"{folder}/images_{centre}", f"{folder}/masks_{centre}", rows)
    for pair in pairs:
        frame_id = f"{NAME}/{centre}/{pair.stem}"
        _add(rows, pair, frame_id, (frame_id, 0), "single")
        rows.cases.append({"case_id": frame_id})
        rows.labels.append({"frame_id": frame_id, "task": "centre", "label": centre})
    rows.counted["single frames"] = rows.counted.get("single frames", 0) + len(pairs)


def read_positive(names: Names, base: str, rows: Rows) -> None:
    """Add the sequences with polyps and their masks, each a case."""
    folder = _sequences_folder(names, base, "positive", rows)
    frames = sequences = 0
    for name in names.entries(folder):
        images = f"{folder}/{name}/images_{name}"
        if not names.find(images):
            rows.problems.append(odd(f"{folder}/{name}", f"no folder images_{name}; left out"))
            continue
        pairs = _pairs(names, images, f"{folder}/{name}/masks_{name}", rows)
        case_id = f"{NAME}/{name}"
        rows.cases.append({"case_id": case_id})
        for index, pair in enumerate(pairs):
            _add(rows, pair, f"{case_id}/{pair.stem}", (case_id, index), "positive")
        frames, sequences = frames + len(pairs), sequences + 1
    rows.counted |= {"positive sequence frames": frames, "positive sequences": sequences}


def read_negative(names: Names, base: str, rows: Rows) -> None:
    """Add the sequences without polyps, which have no masks, each a case."""
    folder = _sequences_folder(names, base, "negativeOnly", rows)
    frames = sequences = 0
    for name in names.entries(folder):
        images = names.images(f"{folder}/{name}")
        if not images:
            rows.problems.append(odd(f"{folder}/{name}", "no pictures; left out"))
            continue
        case_id = f"{NAME}/{name}"
        rows.cases.append({"case_id": case_id})
        for index, (image, stem) in enumerate(zip(images, stems(images), strict=True)):
            pair = Pair(stem, f"{folder}/{name}/{image}", None)
            _add(rows, pair, f"{case_id}/{stem}", (case_id, index), "negative")
        frames, sequences = frames + len(images), sequences + 1
    rows.counted |= {"negative sequence frames": frames, "negative sequences": sequences}


def _sequences_folder(names: Names, base: str, kind: str, rows: Rows) -> str:
    wanted = f"{base}sequenceData/{kind}"
    found = names.find(wanted)
    if found is None:
        rows.problems.append(missing(wanted, f"the {kind} sequences"))
    return found or wanted


def _pairs(names: Names, images: str, masks: str, rows: Rows) -> list[Pair]:
    found = names.find(images)
    if found is None or not names.images(found):
        rows.problems.append(missing(images, "no pictures"))
        return []
    pairs, problems = read_pairs(names, found, names.find(masks) or masks, mask_stems=_mask_stems)
    rows.problems += problems
    return pairs


def _add(rows: Rows, pair: Pair, frame_id: str, place: tuple[str, int], origin: str) -> None:
    case_id, index = place
    rows.frames.append(
        {"frame_id": frame_id, "case_id": case_id, "path": pair.image, "index": index}
    )
    rows.labels.append({"frame_id": frame_id, "task": "origin", "label": origin})
    if pair.mask is not None:
        rows.masks.append({"frame_id": frame_id, "mask_path": pair.mask})
