"""Labelled pictures as HyperKvasir: nested class folders, label file and folds that disagree."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from endoalign.world.layouts.ids import label_of, uuids
from endoalign.world.layouts.pictures import (
    LabelledPicture,
    mask_of,
    three_channels,
    write_lines,
    write_picture,
)

_LOWER, _UPPER = "lower-gi-tract", "upper-gi-tract"
_LANDMARK, _FINDING = "anatomical-landmarks", "pathological-findings"
_VIEW, _THERAPY = "quality-of-mucosal-views", "therapeutic-interventions"
CLASSES: Final[dict[str, tuple[str, str, str]]] = {
    "cecum": (_LOWER, _LANDMARK, "normal-cecum"),
    "ileum": (_LOWER, _LANDMARK, "ileum"),
    "retroflex-rectum": (_LOWER, _LANDMARK, "retroflex-rectum"),
    "hemorrhoids": (_LOWER, _FINDING, "hemorroids"),
    "polyps": (_LOWER, _FINDING, "polyp"),
    "ulcerative-colitis-grade-0-1": (_LOWER, _FINDING, "ulcerative-colitis-grade-0-1"),
    "ulcerative-colitis-grade-1": (_LOWER, _FINDING, "ulcerative-colitis-grade-1"),
    "ulcerative-colitis-grade-1-2": (_LOWER, _FINDING, "ulcerative-colitis-grade-1-2"),
    "ulcerative-colitis-grade-2": (_LOWER, _FINDING, "ulcerative-colitis-grade-2"),
    "ulcerative-colitis-grade-2-3": (_LOWER, _FINDING, "ulcerative-colitis-grade-2-3"),
    "ulcerative-colitis-grade-3": (_LOWER, _FINDING, "ulcerative-colitis-grade-3"),
    "bbps-0-1": (_LOWER, _VIEW, "bbps-0-1"),
    "bbps-2-3": (_LOWER, _VIEW, "bbps-2-3"),
    "impacted-stool": (_LOWER, _VIEW, "impacted-stool"),
    "dyed-lifted-polyps": (_LOWER, _THERAPY, "dyed-lifted-polyps"),
    "dyed-resection-margins": (_LOWER, _THERAPY, "dyed-resection-margins"),
    "pylorus": (_UPPER, _LANDMARK, "normal-pylorus"),
    "retroflex-stomach": (_UPPER, _LANDMARK, "retroflex-stomach"),
    "z-line": (_UPPER, _LANDMARK, "normal-z-line"),
    "barretts": (_UPPER, _FINDING, "barretts"),
    "barretts-short-segment": (_UPPER, _FINDING, "short-segment-barretts"),
    "esophagitis-a": (_UPPER, _FINDING, "oesophagitis-a"),
    "esophagitis-b-d": (_UPPER, _FINDING, "oesophagitis-b-d"),
}
"""Tract, group, and name in the official folds, by the name in the label file."""
FOLDERS: Final = {"polyps": "polyp", "retroflex-rectum": "retroflex-rectum "}
"""Folders that are named otherwise than the label file has it: one ends in a blank."""
_ORGANS: Final = {_LOWER: "Lower GI", _UPPER: "Upper GI"}


def write(pictures: Sequence[LabelledPicture], folder: Path, *, seed: int) -> list[str]:
    """Write pictures under ``folder``; return their ids.

    The label ``class`` is one of `CLASSES`. Polyps with a mask are also among the segmented images,
    with lossy three-channel masks. Both official folds are written, each class spread over all
    of their parts.

    Raises:
        ValueError: a picture of an unknown class.
    """
    rng = np.random.default_rng([seed, 0x4B])
    ids = uuids(len(pictures), rng)
    labels = [label_of(picture, "class", CLASSES) for picture in pictures]
    for name, label, picture in zip(ids, labels, pictures, strict=True):
        tract, group, _ = CLASSES[label]
        where = folder / "labeled-images" / tract / group / FOLDERS.get(label, label)
        write_picture(picture.rgb, where / f"{name}.jpg")
        if picture.mask is not None:
            segmented = folder / "segmented-images"
            write_picture(picture.rgb, segmented / "images" / f"{name}.jpg")
            write_picture(three_channels(mask_of(picture)), segmented / "masks" / f"{name}.jpg")
    rows = [
        f"{name},{_ORGANS[CLASSES[label][0]]},{label},{CLASSES[label][1]}"
        for name, label in zip(ids, labels, strict=True)
    ]
    header = "Video file,Organ,Finding,Classification"
    write_lines([header, *rows], folder / "labeled-images" / "image-labels.csv")
    for count in (2, 5):
        lines = _fold_lines(ids, labels, count, rng)
        write_lines(lines, folder / "official_splits" / f"{count}_fold_split.csv")
    return ids


def _fold_lines(
    ids: list[str], labels: list[str], count: int, rng: np.random.Generator
) -> list[str]:
    lines = ["file-name;class-name;split-index"]
    placed: dict[str, int] = {}
    for k in rng.permutation(len(ids)):
        label = labels[k]
        index = placed[label] = (placed.get(label, -1) + 1) % count
        lines.append(f"{ids[k]}.jpg;{CLASSES[label][2]};{index}")
    return lines
