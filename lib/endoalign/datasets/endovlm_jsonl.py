"""EndoVLM's JSONL of examinations: reports by site, abnormality flags, and sets of frames."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from endoalign.corpus.ingest_endovlm import list_endovlm
from endoalign.corpus.listing import FrameFile, files_under, is_frame
from endoalign.corpus.naming import frame_names
from endoalign.corpus.rows import IngestError
from endoalign.corpus.sources import EndoVLMSource, Split
from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.class_names import ENDOVLM_SITES
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.endovlm_lines import flags_by_case, site_problems, unmarked_encoding
from endoalign.datasets.endovlm_sites import REGIONS_OF
from endoalign.datasets.listed import ListedPictures
from endoalign.datasets.listing import natural_sort
from endoalign.datasets.problems import Problem, odd

_SPLIT_OF: Final[dict[str, Split]] = {
    "val": "validation",
    "valid": "validation",
    "validation": "validation",
    "test": "test",
}
_NOT_OF_A_CASE: Final = ("eligible", "reason")
"""Columns of a corpus's cases that a data set does not have."""

CARD: Final = Card(
    name="endovlm-jsonl",
    title="Examinations in EndoVLM's JSONL",
    page="none: the form in which the code of the EndoVLM paper reads examinations",
    licence="that of whoever provides the examinations; none are published",
    citation="Yi et al., EndoVLM",
    layout=(
        "NAME.jsonl  (id, modality, image_path, endo_report_raw, endo_report,\n"
        "            site_abnormality_flags, valid_image_paths; one examination a line)\n"
        "frames at the paths that it names, relative to this folder"
    ),
    expected={},
    how_to_get=(
        "write one line an examination from your own archive; the report is a header line and "
        f"'Site: text' lines, with the sites {', '.join(ENDOVLM_SITES)}."
    ),
    notes=("A file named val, validation or test gives that split, any other one train.",),
)


@dataclass
class _Found:
    """What all files say."""

    cases: dict[str, dict[str, object]] = field(default_factory=dict)
    frames: list[dict[str, object]] = field(default_factory=list)
    labels: list[dict[str, object]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read(
    root: Path,
    *,
    jsonl: str = "",
    frames: str = "",
    report_field: Literal["endo_report", "endo_report_raw"] = "endo_report",
) -> Contents:
    """Return the examinations, their frames, and the flag of each site (task ``abnormal:REGION``).

    Labels are of the case. The texts of the sites are in the report: `endovlm_sites.site_texts`.
    Broken lines (a last one that was cut off, too), repeated ids and frames that are not there
    are problems, and what is sound stays.

    Args:
        root: the folder with the JSONL.
        jsonl: path of one JSONL in it; empty: all that lie in the folder.
        frames: folder, in the root, from which the paths of frames start; empty: the root.
        report_field: which of the two reports is read; only ``endo_report`` has sites.
    """
    files = [root / jsonl] if jsonl else [root / name for name in _jsonl_files(root)]
    if not files or not all(file.is_file() for file in files):
        refuse(CARD, root, jsonl or "*.jsonl")
    found, errors = _Found(), list[str]()
    for file in files:
        source = EndoVLMSource(
            name=CARD.name,
            jsonl=file,
            frames=root / frames,
            report_field=report_field,
            encoding=unmarked_encoding(file),
            on_bad_row="record",
            split=_SPLIT_OF.get(file.stem.casefold(), "train"),
        )
        try:
            _read_file(source, root, found)
        except IngestError as error:
            errors.append(str(error))
            found.problems.append(odd(file.relative_to(root).as_posix(), str(error)))
    if not found.cases:
        raise ValueError("; ".join(errors) or f"{root}: holds no examination")
    return make_contents(
        CARD,
        root,
        cases=found.cases.values(),
        frames=found.frames,
        labels=found.labels,
        problems=found.problems,
    )


def _jsonl_files(root: Path) -> list[str]:
    return natural_sort(
        path.name for path in root.iterdir() if path.suffix.lower() in (".jsonl", ".ndjson")
    )


def _read_file(source: EndoVLMSource, root: Path, found: _Found) -> None:
    name = source.jsonl.relative_to(root).as_posix()
    listing = list_endovlm(source)
    found.problems += [
        odd(left.path, f"{left.reason}; left out" + (f" of {left.case_id}" if left.case_id else ""))
        for left in listing.left_out
    ]
    new = {i: case for i, case in listing.cases.items() if i not in found.cases}
    found.problems += [
        odd(name, f"id {case_id!r} is in another file too: left out")
        for case_id in listing.cases
        if case_id not in new
    ]
    for case_id, case in new.items():
        found.cases[case_id] = {k: v for k, v in case.items() if k not in _NOT_OF_A_CASE}
        found.problems += site_problems(case, name, source)
    exam_types = {case_id: str(case["exam_type"]) for case_id, case in new.items()}
    for case_id, flags in flags_by_case(source, exam_types).items():
        regions = REGIONS_OF[exam_types[case_id]]
        found.labels += [
            {"frame_id": case_id, "task": f"abnormal:{region}", "label": str(flag)}
            for region, flag in zip(regions, flags, strict=True)
        ]
    _add_frames([file for file in listing.frames if file.case_id in new], source, root, found)


def _add_frames(listed: list[FrameFile], source: EndoVLMSource, root: Path, found: _Found) -> None:
    """Add the frames that are on disk, numbered in the order of the list."""
    base = source.frames.relative_to(root).as_posix()
    prefix = "" if base == "." else f"{base}/"
    on_disk = [path for path in files_under(source.frames) if is_frame(path)]
    lookup, present = ListedPictures(on_disk, source.jsonl.name), set(on_disk)
    paths: dict[str, list[str]] = {}
    for file in listed:
        path = lookup.id_of(file.path)
        if path in present:
            paths.setdefault(file.case_id, []).append(path)
    for case_id, of_case in paths.items():
        found.frames += [
            {
                "frame_id": f"{case_id}/{frame}",
                "case_id": case_id,
                "path": prefix + path,
                "index": index,
            }
            for index, (path, frame) in enumerate(zip(of_case, frame_names(of_case), strict=True))
        ]
    found.problems += lookup.problems()
