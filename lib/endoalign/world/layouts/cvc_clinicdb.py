"""Labelled pictures as CVC-ClinicDB: stills numbered through, sequence after sequence."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from endoalign.world.layouts.pictures import (
    LabelledPicture,
    grey_mask,
    mask_of,
    soft_mask,
    write_picture,
)


def write(
    pictures: Sequence[LabelledPicture], folder: Path, *, repack: Literal["tif", "png"] = "tif"
) -> None:
    """Write the k-th picture as still k, from 1.

    ``tif`` is the original, ``Original/K.tif`` and ``Ground Truth/K.tif``; ``png`` is the repack
    that goes about, ``PNG/Original/K.png`` and ``PNG/Ground Truth/K.png``, whose masks are
    not binary. A sequence is a run of pictures; which numbers begin one is known of the
    published data set and stands in no file.
    """
    base = folder if repack == "tif" else folder / "PNG"
    for number, picture in enumerate(pictures, start=1):
        mask = mask_of(picture)
        pixels = grey_mask(mask) if repack == "tif" else soft_mask(mask)
        write_picture(picture.rgb, base / "Original" / f"{number}.{repack}")
        write_picture(pixels, base / "Ground Truth" / f"{number}.{repack}")
