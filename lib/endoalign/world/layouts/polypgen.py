"""Labelled pictures as PolypGen: single frames of centres, and sequences with and without polyp."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from endoalign.world.layouts.pictures import (
    LabelledPicture,
    bounding_box,
    grey_mask,
    mask_of,
    three_channels,
    write_lines,
    write_picture,
)

Pictures = Sequence[LabelledPicture]


def write(
    centres: Mapping[str, Pictures],
    positive: Sequence[Pictures],
    negative: Sequence[Pictures],
    folder: Path,
) -> None:
    """Write single frames and sequences under ``folder``.

    Masks are JPEG: of three channels in the first centre and the sequences, grey elsewhere. Every
    seventh mask of a centre has the name of its frame alone, without ``_mask``, as the archive
    is not consistent either. Boxes are ``polyp LEFT TOP RIGHT BOTTOM``, one a line.

    Args:
        centres: the single frames by centre, ``C1`` to ``C6``.
        positive: sequences with polyps, ``seq1`` and so on.
        negative: sequences without, ``seq1_neg`` and so on.
        folder: to write to.
    """
    for centre, pictures in centres.items():
        for k, picture in enumerate(pictures, start=1):
            stem = f"EndoCV2021_{centre}_{k:07d}"
            suffix = "" if k % 7 == 0 else "_mask"
            _write_pair(picture, folder / f"data_{centre}", centre, stem, suffix)
    sequences = folder / "sequenceData"
    for n, pictures in enumerate(positive, start=1):
        for k, picture in enumerate(pictures):
            _write_pair(picture, sequences / f"positive/seq{n}", f"seq{n}", f"seq{n}_{k}", "_mask")
    for n, pictures in enumerate(negative, start=1):
        for k, picture in enumerate(pictures):
            name = f"seq{n}_neg"
            write_picture(picture.rgb, sequences / "negativeOnly" / name / f"{name}_{k}.jpg")


def _write_pair(picture: LabelledPicture, folder: Path, name: str, stem: str, suffix: str) -> None:
    mask = mask_of(picture)
    pixels = grey_mask(mask) if name in ("C2", "C3", "C4", "C5", "C6") else three_channels(mask)
    write_picture(picture.rgb, folder / f"images_{name}" / f"{stem}.jpg")
    write_picture(pixels, folder / f"masks_{name}" / f"{stem}{suffix}.jpg")
    box = bounding_box(mask)
    lines = [] if box is None else ["polyp " + " ".join(map(str, box))]
    write_lines(lines, folder / f"bbox_{name}" / f"{stem}_mask.txt")
