"""Bytes or a file become an RGB array; whatever the bytes are, the only error is `FrameError`."""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

MAX_PIXELS: Final = 64_000_000
"""Frames above this many pixels are refused (the largest processors give 8 million)."""
MAX_BYTES: Final = 256 * 2**20
"""Files above this many bytes are refused before they are read."""
UNREADABLE: Final = "cannot read file"
"""How the reason begins where the fault is the disk's or the network's, not the file's."""

# Only formats in which frames are exported: other readers of Pillow start outside programs (EPS)
# or need them, and have no place in a scan of unknown files.
FORMATS: Final = ("JPEG", "PNG", "BMP", "TIFF", "WEBP", "GIF", "PPM", "JPEG2000")

_ORIENTATION_TAG: Final = 0x0112
_ORIENTATIONS: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


class FrameError(Exception):
    """A frame that cannot be used; the message is the reason in a few words."""


@dataclass(frozen=True)
class DecodedFrame:
    """Pixels of a frame and the size of the frame they came from.

    ``rgb`` is uint8 of shape (h, w, 3), upright; ``width`` and ``height`` are the pixels of the
    full frame, upright, which ``rgb`` has fewer of when it was decoded at a reduced size.
    """

    rgb: NDArray[np.uint8]
    width: int
    height: int


def decode(
    source: bytes | Path, *, min_side: int | None = None, max_pixels: int = MAX_PIXELS
) -> NDArray[np.uint8]:
    """Decode a frame to RGB, uint8 of shape (height, width, 3).

    The EXIF orientation is applied, transparent pixels lie on black, grey, palette, CMYK and
    16-bit frames become 8-bit RGB, and of an animation the first picture is taken. With
    ``min_side`` (pixels) the frame is reduced by a whole factor such that its shorter side
    stays at least that long, which for JPEG saves most of the decoding.

    Raises `FrameError`, and nothing else, for whatever cannot be decoded.
    """
    return decode_frame(source, min_side=min_side, max_pixels=max_pixels).rgb


def decode_frame(
    source: bytes | Path, *, min_side: int | None = None, max_pixels: int = MAX_PIXELS
) -> DecodedFrame:
    """Decode like `decode`, and keep the size of the full frame."""
    data = read_bytes(source) if isinstance(source, Path) else source
    if not data:
        raise FrameError("empty file")
    try:
        return _decode(data, min_side, max_pixels)
    except FrameError:
        raise
    except UnidentifiedImageError:
        raise FrameError("not an image") from None
    except Image.DecompressionBombError:  # Pillow's own limit lies above any sensible one
        raise FrameError(f"pixels exceed the limit of {max_pixels}") from None
    except MemoryError:
        raise FrameError("too large for memory") from None
    except Exception as error:  # Pillow's readers raise anything on damaged bytes
        raise FrameError(f"corrupt or truncated: {_first_words(error)}") from error


def read_bytes(path: Path, max_bytes: int = MAX_BYTES) -> bytes:
    """Read a file whole; `FrameError` where it is missing, unreadable or above ``max_bytes``."""
    try:
        size = path.stat().st_size
        if size > max_bytes:
            raise FrameError(f"file of {size} bytes exceeds the limit of {max_bytes}")
        return path.read_bytes()
    except OSError as error:
        raise FrameError(f"{UNREADABLE}: {error.strerror or type(error).__name__}") from error


def _decode(data: bytes, min_side: int | None, max_pixels: int) -> DecodedFrame:
    with Image.open(io.BytesIO(data), formats=FORMATS) as image:
        width, height = image.size
        if width * height > max_pixels:
            raise FrameError(f"{width} x {height} pixels exceed the limit of {max_pixels}")
        if min_side is not None:
            image.draft("RGB", _reduced_size(width, height, min_side))
        image.load()
        orientation = _orientation(image)
        upright = _reduce(_to_rgb(image), min_side)
        if orientation in _ORIENTATIONS:
            upright = upright.transpose(_ORIENTATIONS[orientation])
        if orientation >= 5:  # the four that exchange the axes
            width, height = height, width
        return DecodedFrame(np.array(upright), width, height)


def _reduced_size(width: int, height: int, min_side: int) -> tuple[int, int]:
    """Return the smallest size, in whole factors, with a shorter side of ``min_side`` or more."""
    factor = max(1, min(width, height) // min_side)
    return -(-width // factor), -(-height // factor)


def _reduce(image: Image.Image, min_side: int | None) -> Image.Image:
    if min_side is None:
        return image
    factor = min(image.size) // min_side
    return image.reduce(factor) if factor > 1 else image


def _to_rgb(image: Image.Image) -> Image.Image:
    if image.mode == "I" or image.mode.startswith("I;16"):
        values = np.clip(np.asarray(image).astype(np.int64), 0, 65535)
        return Image.fromarray(((values + 128) // 257).astype(np.uint8)).convert("RGB")
    if image.mode == "F":
        raise FrameError("floating-point pixels have no agreed range")
    if image.has_transparency_data:
        black = Image.new("RGBA", image.size, (0, 0, 0, 255))
        return Image.alpha_composite(black, image.convert("RGBA")).convert("RGB")
    return image.convert("RGB")


def _orientation(image: Image.Image) -> int:
    """Return the EXIF orientation, 1 where there is none or the EXIF block is damaged."""
    try:
        value = image.getexif().get(_ORIENTATION_TAG, 1)
    except Exception:  # sound pixels with a damaged EXIF block are still a frame
        return 1
    return value if isinstance(value, int) else 1


def _first_words(error: Exception) -> str:
    """Return the error's words without what it adds in brackets, so that like reasons are equal."""
    text = " ".join(str(error).split()).split(" (")[0]
    return text[:80] or type(error).__name__
