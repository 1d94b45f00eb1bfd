"""Labelled pictures as Kvasir-SEG: JPEG frames, lossy three-channel masks, boxes, two lists."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from endoalign.world.layouts.pictures import (
    LabelledPicture,
    bounding_box,
    mask_of,
    three_channels,
    write_lines,
    write_picture,
)

VALIDATION_SHARE: Final = 0.12
"""120 of the published 1,000 frames."""
_LETTERS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_LENGTH: Final = 25


def write(pictures: Sequence[LabelledPicture], folder: Path, *, seed: int) -> list[str]:
    """Write pictures and their masks under ``folder``; return the ids, in the pictures' order.

    Ids look as the published ones do and depend on ``seed`` alone, as does which frames are
    for validation. The file of boxes has its published name, ``kavsir_bboxes.json``.
    """
    rng = np.random.default_rng([seed, 0x5E6])
    ids = _ids(len(pictures), rng)
    boxes: dict[str, object] = {}
    for name, picture in zip(ids, pictures, strict=True):
        mask = mask_of(picture)
        write_picture(picture.rgb, folder / "images" / f"{name}.jpg")
        write_picture(three_channels(mask), folder / "masks" / f"{name}.jpg")
        height, width = mask.shape
        boxes[name] = {"height": height, "width": width, "bbox": _boxes(picture)}
    write_lines([json.dumps(boxes, indent=1)], folder / "kavsir_bboxes.json")
    held_out = set(rng.permutation(len(ids))[: round(VALIDATION_SHARE * len(ids))])
    train = [name for place, name in enumerate(ids) if place not in held_out]
    write_lines(train, folder / "train.txt")
    write_lines([name for name in ids if name not in train], folder / "val.txt")
    return ids


def _boxes(picture: LabelledPicture) -> list[dict[str, object]]:
    box = bounding_box(mask_of(picture))
    if box is None:
        return []
    left, top, right, bottom = box
    return [{"label": "polyp", "xmin": left, "ymin": top, "xmax": right, "ymax": bottom}]


def _ids(count: int, rng: np.random.Generator) -> list[str]:
    ids: dict[str, None] = {}
    while len(ids) < count:
        letters = rng.integers(len(_LETTERS), size=_LENGTH - 3)
        ids["cju" + "".join(_LETTERS[k] for k in letters)] = None
    return list(ids)
