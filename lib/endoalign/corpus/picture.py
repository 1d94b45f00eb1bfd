"""One frame as the encoders see it: cropped to its content, squashed to a small square."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from endoalign.frames.decode import FrameError, decode_frame

GAP: Final = 2
"""Frames are decoded at no less than so many times the pixels that the picture has each way."""
Edges = tuple[int, int, int, int]
"""Left, top, right and bottom of a content box, in pixels of the full frame."""


@dataclass(frozen=True)
class PictureSettings:
    """How frames become pictures: ``size`` is the side in pixels; cropped to the content or not."""

    size: int
    crop_content: bool = True


def load_picture(
    path: Path, box: Edges | None, size: int, *, frame_size: tuple[int, int] | None = None
) -> NDArray[np.uint8]:
    """Decode a frame, crop it to its content box and squash it (bicubic, antialiased).

    Args:
        path: the frame's file.
        box: left, top, right, bottom in pixels of the full frame; None takes the whole frame.
        size: side of the picture, pixels.
        frame_size: width and height of the full frame, where known: the frame is then decoded no
            larger than the crop needs, which for large JPEG files is several times faster.

    Returns:
        uint8 (size, size, 3), red, green, blue.

    Raises:
        FrameError: the file cannot be decoded, or the box lies outside the frame.
    """
    frame = decode_frame(path, min_side=_needed_side(box, size, frame_size))
    image = Image.fromarray(frame.rgb)
    left, top, right, bottom = box or (0, 0, frame.width, frame.height)
    if not (0 <= left < right <= frame.width and 0 <= top < bottom <= frame.height):
        raise FrameError(f"content box {box} is not inside {frame.width} x {frame.height} pixels")
    # Each pixel of a frame decoded smaller stands for a whole number of pixels each way, the last
    # perhaps for fewer.
    across, down = round(frame.width / image.width), round(frame.height / image.height)
    within = (left / across, top / down, right / across, bottom / down)
    return np.asarray(image.resize((size, size), Image.Resampling.BICUBIC, box=within))


def _needed_side(box: Edges | None, size: int, frame_size: tuple[int, int] | None) -> int | None:
    """Shorter side of the decoded frame at which the crop has `GAP` times ``size`` each way."""
    if box is None:
        return GAP * size
    if frame_size is None:
        return None
    left, top, right, bottom = box
    return math.ceil(GAP * size * min(frame_size) / max(1, min(right - left, bottom - top)))
