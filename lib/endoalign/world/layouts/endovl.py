"""Labelled pictures as a release like EndoVL: one table, with names of columns of its own.

EndoVL's schema is not public: these columns are ours, and readers map them.
"""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from endoalign.world.layouts.pictures import LabelledPicture, write_lines, write_picture

COLUMNS: Final = {
    "image": "Image",
    "paris": "Paris classification",
    "congestion": "Congestion",
    "lobulated": "Lobulated",
    "villous": "Villous",
    "size": "Size (cm)",
    "descriptors": "Descriptors",
    "split": "Split",
}
"""Column of the table by what it holds."""
_TASKS: Final = {"paris": "paris", "size": "size_cm", "descriptors": "descriptors"}
_SHARES: Final = (("train", 0.7), ("val", 0.1), ("test", 0.2))
"""1,375, 197 and 394 of the paper's 1,966 pictures with a structured report."""


def write(pictures: Sequence[LabelledPicture], folder: Path, *, seed: int) -> None:
    """Write ``folder/annotations.csv`` and the pictures under ``folder/images``.

    Labels read: ``paris``, ``congestion``, ``lobulated``, ``villous`` (0 or 1), ``size_cm`` and
    ``descriptors`` (names with ``;`` between them); one that a picture lacks is an empty cell.
    """
    order = np.random.default_rng([seed, 0xE1]).permutation(len(pictures))
    ends = np.round(np.cumsum([share for _, share in _SHARES]) * len(pictures)).astype(int)
    part_of = np.empty(len(pictures), dtype=object)
    for (part, _), group in zip(_SHARES, np.split(order, ends[:-1]), strict=True):
        part_of[group] = part
    rows = [list(COLUMNS.values())]
    for index, picture in enumerate(pictures):
        path = f"images/polyp_{index:05d}.png"
        write_picture(picture.rgb, folder / path)
        row = {key: picture.labels.get(_TASKS.get(key, key), "") for key in COLUMNS}
        rows.append(list((row | {"image": path, "split": str(part_of[index])}).values()))
    write_lines(csv_lines(rows), folder / "annotations.csv")


def csv_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a CSV; a cell with line ends is quoted and spans several."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().removesuffix("\n").split("\n")
