"""Masks as they are published: lossy, of three channels, not binary, or of another size."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from endoalign.datasets.problems import Problem, odd

THRESHOLD: Final = 127
"""Pixels above it are foreground: Kvasir-SEG's masks are lossy JPEG, CVC's PNG repack is grey."""


@dataclass(frozen=True)
class MaskValues:
    """Grey values of a mask: their range, and the share of pixels that are neither 0 nor 255."""

    lowest: int
    highest: int
    between: float


def read_mask(path: Path) -> NDArray[np.bool_]:
    """Return a mask as bool (H, W): grey values above `THRESHOLD` are foreground.

    Three channels are made grey, 16-bit and floating-point masks are scaled to 0..255 by the range
    of their type. Raises ValueError, naming the file, where it cannot be read.
    """
    return read_grey(path) > THRESHOLD


def read_grey(path: Path) -> NDArray[np.uint8]:
    """Return the grey values of a mask, uint8 (H, W); raises ValueError where it is unreadable."""
    try:
        with Image.open(path) as picture:
            if picture.mode in ("I", "I;16", "I;16B", "I;16L"):
                return _bytes(np.asarray(picture).astype(np.int64) // 257)
            if picture.mode == "F":
                return _bytes(np.rint(np.asarray(picture) * 255))
            return np.asarray(picture.convert("L"))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ValueError(f"{path}: no readable mask ({error})") from None


def _bytes(values: NDArray[np.number]) -> NDArray[np.uint8]:
    return np.asarray(np.clip(values, 0, 255), dtype=np.uint8)


def mask_values(path: Path) -> MaskValues:
    """Return the range of a mask's grey values and how many are neither 0 nor 255."""
    grey = read_grey(path)
    between = float(np.mean((grey > 0) & (grey < 255)))
    return MaskValues(int(grey.min()), int(grey.max()), between)


def size_of(path: Path) -> tuple[int, int]:
    """Return height and width of a picture from its header alone; ValueError if unreadable."""
    try:
        with Image.open(path) as picture:
            return picture.height, picture.width
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ValueError(f"{path}: no readable picture ({error})") from None


def pair_problem(root: Path, image: str, mask: str) -> Problem | None:
    """Return what is wrong with a pair of picture and mask, `None` where nothing is.

    Args:
        root: of the data set.
        image: path of the picture, relative to the root.
        mask: path of the mask, relative to the root.
    """
    try:
        (height, width), (mask_height, mask_width) = size_of(root / image), size_of(root / mask)
    except ValueError as error:
        path = mask if str(root / mask) in str(error) else image
        return odd(path, str(error).split(": ", 1)[-1])
    if (height, width) == (mask_height, mask_width):
        return None
    return odd(
        mask,
        f"mask of {mask_width} x {mask_height} pixels for {image} of {width} x {height}; it is "
        "left out, sizes must be the same",
    )
