"""Labelled pictures as Kvasir v2: one folder a class, UUIDs as names, no lists."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from endoalign.world.layouts.ids import label_of, uuids
from endoalign.world.layouts.pictures import LabelledPicture, write_picture

CLASSES: Final = (
    "dyed-lifted-polyps",
    "dyed-resection-margins",
    "esophagitis",
    "normal-cecum",
    "normal-pylorus",
    "normal-z-line",
    "polyps",
    "ulcerative-colitis",
)


def write(pictures: Sequence[LabelledPicture], folder: Path, *, seed: int) -> list[str]:
    """Write pictures under ``folder/kvasir-dataset-v2``; return their ids.

    The label ``class`` is one of `CLASSES`.

    Raises:
        ValueError: a picture of an unknown class.
    """
    ids = uuids(len(pictures), np.random.default_rng([seed, 0x12]))
    for name, picture in zip(ids, pictures, strict=True):
        label = label_of(picture, "class", CLASSES)
        write_picture(picture.rgb, folder / "kvasir-dataset-v2" / label / f"{name}.jpg")
    return ids
