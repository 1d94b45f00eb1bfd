"""PolypDiag: short colonoscopy videos, each with or without a polyp."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.listed import ListedPictures, unlisted_problems
from endoalign.datasets.listing import Names
from endoalign.datasets.problems import Problem, missing, odd
from endoalign.datasets.text_files import read_cells
from endoalign.frames.video import VideoError, VideoFacts, even_indices, probe_video

PARTS: Final = {"train": "train", "val": "test"}
"""Part by the name of its list; what the lists call validation is what results are given for."""

CARD: Final = Card(
    name="polypdiag",
    title="PolypDiag",
    page="https://github.com/med-air/Endo-FM",
    licence="for research; see the page",
    citation="Tian et al. 2022, MICCAI; as packed by Wang et al. 2023, MICCAI (Endo-FM)",
    layout="videos/NAME.mp4\nsplits/{train,val}.txt  (NAME.mp4,LABEL; 1: a polyp, 0: none)",
    expected={"cases": 253},
    how_to_get="follow the page's link to PolypDiag among its downstream data, and unpack it.",
    notes=(
        "val.txt is the test set: choosing the best epoch on it overstates results. Report the "
        "last epoch, or one chosen on a part of train.txt.",
    ),
)


@dataclass(frozen=True)
class _Video:
    """A video that can be read; ``path`` is relative to the root."""

    name: str
    path: str
    facts: VideoFacts


def read(root: Path, *, frames_per_video: int = 16) -> Contents:
    """Return the videos as cases, frames evenly spaced over each, and the labels and parts.

    A frame has the path of its video and the index in it; `frames.video.read_frames` decodes it.
    A video with fewer frames than asked for has each of its own once. Labels are of the case:
    ``polyp`` (0 or 1) and ``n_frames``; splits (``official``) too, under the case's id.

    Args:
        root: the folder with ``videos`` and ``splits``.
        frames_per_video: how many frames to list of each video.
    """
    if frames_per_video < 1:
        raise ValueError(f"frames_per_video is {frames_per_video}, not 1 or more")
    names = Names(root)
    problems: list[Problem] = []
    on_disk = _video_files(names)
    labels, parts = _lists(names, list(on_disk), problems)
    if not (on_disk or labels):
        refuse(CARD, root, "videos/*.mp4 or splits/train.txt")
    videos = _readable(names, on_disk, frames_per_video, problems)
    return make_contents(
        CARD,
        root,
        cases=[{"case_id": _id(v.name), "split": parts.get(v.name, "train")} for v in videos],
        frames=[row for video in videos for row in _frames(video, frames_per_video)],
        labels=[
            *({"frame_id": _id(i), "task": "polyp", "label": label} for i, label in labels.items()),
            *(
                {"frame_id": _id(v.name), "task": "n_frames", "label": str(v.facts.n_frames)}
                for v in videos
            ),
        ],
        splits=[
            {"frame_id": _id(i), "protocol": "official", "fold": "0", "part": part}
            for i, part in parts.items()
        ],
        problems=problems,
    )


def _video_files(names: Names) -> dict[str, str]:
    """Return the path of each video by its name without ending."""
    folder = names.find("videos")
    files = names.entries(folder) if folder else []
    return {
        PurePosixPath(f).stem: f"{folder}/{f}"
        for f in files
        if PurePosixPath(f).suffix.lower() == ".mp4"
    }


def _lists(
    names: Names, on_disk: Sequence[str], problems: list[Problem]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return label and part of each listed video."""
    labels: dict[str, str] = {}
    parts: dict[str, str] = {}
    for stem, part in PARTS.items():
        path = names.find(f"splits/{stem}.txt")
        if path is None:
            what = f"no such list: labels of the part {part} are unknown"
            problems.append(missing(f"splits/{stem}.txt", what))
            continue
        lookup = ListedPictures(on_disk, path)
        try:
            rows, wrong = read_cells(names.root / path, ["name.mp4", "label"], path)
        except ValueError as error:
            problems.append(odd(path, str(error)))
            continue
        for line, row in rows:
            name, label = PurePosixPath(row["name.mp4"]).stem, row["label"]
            if label not in ("0", "1"):
                what = f"label {label!r} is not 0 (no polyp) or 1 (polyp)"
                wrong.append(odd(f"{path}:{line}", what))
                continue
            found = lookup.id_of(name, line)
            if parts.setdefault(found, part) != part:
                wrong.append(odd(f"{path}:{line}", f"{found} is in the part {parts[found]} too"))
            labels.setdefault(found, label)
        problems += [*wrong, *lookup.problems()]
    unlisted = sorted(set(on_disk) - set(parts))
    problems += unlisted_problems(unlisted, "splits", "they have no label and no part")
    return labels, parts


def _readable(
    names: Names, on_disk: dict[str, str], wanted: int, problems: list[Problem]
) -> list[_Video]:
    videos = []
    for name, path in on_disk.items():
        try:
            facts = probe_video(names.root / path)
        except VideoError as error:
            problems.append(odd(path, f"{error}; left out, download it again"))
            continue
        if facts.truncated:
            what = f"cut off: {facts.n_frames} of {facts.stated} frames can be read"
            problems.append(odd(path, f"{what}, and those are used; download it again"))
        elif facts.n_frames < wanted:
            what = f"has {facts.n_frames} frames, fewer than the {wanted} asked for"
            problems.append(odd(path, f"{what}: all are listed, once each"))
        videos.append(_Video(name, path, facts))
    return videos


def _frames(video: _Video, wanted: int) -> list[dict[str, object]]:
    indices = dict.fromkeys(even_indices(video.facts.n_frames, wanted).tolist())
    case_id = _id(video.name)
    return [
        {"frame_id": f"{case_id}/{i:06d}", "case_id": case_id, "path": video.path, "index": i}
        for i in indices
    ]


def _id(name: str) -> str:
    """Return the id of a video that is unique among all data sets."""
    return f"{CARD.name}/{name}"
