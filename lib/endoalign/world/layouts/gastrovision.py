"""Labelled pictures as GastroVision: class folders, metadata, and the split of larger classes."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from endoalign.world.layouts.ids import label_of, uuids
from endoalign.world.layouts.pictures import LabelledPicture, write_lines, write_picture

CLASSES: Final = (
    "Accessory tools",
    "Angiectasia",
    "Barrett's esophagus",
    "Blood in lumen",
    "Cecum",
    "Colon diverticula",
    "Colon polyps",
    "Colorectal cancer",
    "Duodenal bulb",
    "Dyed-lifted-polyps",
    "Dyed-resection-margins",
    "Erythema",
    "Esophageal varices",
    "Esophagitis",
    "Gastric polyps",
    "Gastroesophageal_junction_normal z-line",
    "Ileocecal valve",
    "Mucosal inflammation large bowel",
    "Normal esophagus",
    "Normal mucosa and vascular pattern in the large bowel",
    "Normal stomach",
    "Pylorus",
    "Resected polyps",
    "Resection margins",
    "Retroflex rectum",
    "Small bowel_terminal ileum",
    "Ulcer",
)
LEAST_IN_SPLIT: Final = 29
"""Pictures of the smallest published class that the split holds; the next one has 25."""
_SHARES: Final = (("train", 0.6), ("validate", 0.2), ("test", 0.2))


def write(
    pictures: Sequence[LabelledPicture],
    folder: Path,
    *,
    seed: int,
    least_in_split: int = LEAST_IN_SPLIT,
) -> None:
    """Write pictures under ``folder``.

    The label ``class`` is one of `CLASSES`. As published, the first picture of each class has the
    same file name (``100H0001.jpg``), sizes are in units of 1,000 bytes, all lists but train.csv
    have Windows line ends, and classes of fewer than ``least_in_split`` pictures are in no part.

    Raises:
        ValueError: a picture of an unknown class.
    """
    rng = np.random.default_rng([seed, 0x6A])
    labels = [label_of(picture, "class", CLASSES) for picture in pictures]
    names = [f"{name}.jpg" for name in uuids(len(pictures), rng)]
    metadata = ["Filename,Class,Width,Height,Size (kB)"]
    for k, (label, picture) in enumerate(zip(labels, pictures, strict=True)):
        if label not in labels[:k]:
            names[k] = "100H0001.jpg"
        path = folder / label / names[k]
        write_picture(picture.rgb, path)
        height, width = picture.rgb.shape[:2]
        size = f"{path.stat().st_size / 1000:g}"
        metadata.append(f"{names[k]},{label},{width},{height},{size}")
    write_lines(metadata, folder / "GastroVision_metadata.csv", end="\r\n")
    split = _split(labels, least_in_split, rng)
    for part, _ in _SHARES:
        rows = [f"{names[k]},{labels[k]}" for k in range(len(names)) if split.get(k) == part]
        end = "\n" if part == "train" else "\r\n"
        write_lines(["Filename,Class", *rows], folder / "Split" / f"{part}.csv", end=end)


def _split(labels: list[str], least: int, rng: np.random.Generator) -> dict[int, str]:
    """Return the part of each picture by its place, class by class in the published shares."""
    part_of: dict[int, str] = {}
    for label, count in Counter(labels).items():
        if count < least:
            continue
        places = rng.permutation([k for k, other in enumerate(labels) if other == label])
        ends = np.round(np.cumsum([share for _, share in _SHARES]) * count).astype(int)
        for (part, _), group in zip(_SHARES, np.split(places, ends[:-1]), strict=True):
            part_of |= {int(k): part for k in group}
    return part_of
