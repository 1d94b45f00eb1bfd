"""Labelled pictures as the small polyp test sets: CVC-300, CVC-ColonDB and ETIS-LaribPolypDB."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from endoalign.world.layouts.pictures import LabelledPicture, grey_mask, mask_of, write_picture


@dataclass(frozen=True)
class PairLayout:
    """Where picture and mask number N are, from 1; ``{}`` stands for N."""

    image: str
    mask: str


LAYOUTS: Final[dict[tuple[str, str], PairLayout]] = {
    ("cvc-300", "test frames"): PairLayout("images/{}.png", "masks/{}.png"),
    ("cvc-300", "EndoScene"): PairLayout("CVC-300/bbdd/{}.bmp", "CVC-300/gtpolyp/{}.bmp"),
    ("cvc-colondb", "380 frames"): PairLayout("images/{}.png", "masks/{}.png"),
    ("cvc-colondb", "original"): PairLayout("CVC-ColonDB/{}.bmp", "CVC-ColonDB/p{}.bmp"),
    ("etis", "repack"): PairLayout("images/{}.png", "masks/{}.png"),
    ("etis", "original"): PairLayout("ETIS-LaribPolypDB/{}.tif", "Ground Truth/p{}.tif"),
}
"""Layouts by data set and release."""


def write(pictures: Sequence[LabelledPicture], folder: Path, *, name: str, release: str) -> None:
    """Write the k-th picture as number k; raises ValueError for a layout not in `LAYOUTS`."""
    layout = LAYOUTS.get((name, release))
    if layout is None:
        known = ", ".join(f"{one} ({other})" for one, other in LAYOUTS)
        raise ValueError(f"no layout {name} ({release}); known: {known}")
    for number, picture in enumerate(pictures, start=1):
        write_picture(picture.rgb, folder / layout.image.format(number))
        write_picture(grey_mask(mask_of(picture)), folder / layout.mask.format(number))
