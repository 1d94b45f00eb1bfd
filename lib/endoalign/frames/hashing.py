"""Two hashes of a frame: one of its bytes, one of what it looks like."""

import hashlib
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.fft import dctn

PHASH_BITS: Final = 64
DEGENERATE: Final = 0
"""The perceptual hash of a frame without structure (all black, one colour)."""

_SIDE: Final = 32
_FLAT: Final = 1.0  # a grey level of amplitude: below it coefficients are rounding noise


def sha256_of(source: bytes | Path) -> str:
    """Return the SHA-256 of bytes or of a file (read in blocks) as 64 hexadecimal digits."""
    if isinstance(source, bytes):
        return hashlib.sha256(source).hexdigest()
    with source.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def phash(rgb: NDArray[np.uint8], mask: NDArray[np.bool_] | None = None) -> int:
    """Return the 64-bit perceptual hash of a frame, ``rgb`` uint8 (h, w, 3).

    The frame is made grey and 32 x 32, and transformed by a two-dimensional discrete cosine
    transform; bit k tells whether the k-th of the 64 lowest frequencies in zigzag order, without
    the mean, reaches their median. Pixels outside ``mask`` (h, w) take the mean of those
    inside, so that a black surround shared by all frames of a processor does not make them alike.
    A frame without structure gives `DEGENERATE`, which no other frame can have: at least half of
    64 numbers reach their median.
    """
    grey = np.asarray(Image.fromarray(rgb).convert("L"))
    if mask is not None and mask.any():
        grey = np.where(mask, grey, np.uint8(round(float(grey[mask].mean()))))
    small = Image.fromarray(grey).resize((_SIDE, _SIDE), Image.Resampling.BOX)
    spectrum = dctn(np.asarray(small, dtype=np.float64), norm="ortho")
    low = spectrum[_ZIGZAG]
    if np.abs(low).max() < _FLAT * _SIDE / 2:
        return DEGENERATE
    bits = low >= np.median(low)
    return int.from_bytes(np.packbits(bits).tobytes(), "big")


def phash_text(value: int) -> str:
    """Return a perceptual hash as the tables hold it: 16 hexadecimal digits."""
    return f"{value:016x}"


def hamming(a: int, b: int) -> int:
    """Return the number of bits in which two hashes differ."""
    return (a ^ b).bit_count()


def _zigzag(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows and columns of the ``count`` lowest frequencies after the mean."""
    places = [(row, column) for row in range(_SIDE) for column in range(_SIDE)]
    order = sorted(places, key=lambda place: (sum(place), place))[1 : count + 1]
    rows, columns = zip(*order, strict=True)
    return np.array(rows), np.array(columns)


_ZIGZAG: Final = _zigzag(PHASH_BITS)
