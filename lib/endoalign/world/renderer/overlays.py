"""What a processor draws over the picture: burnt-in text and the position inset.

Overlays are drawn on the finished frame; those over the content area hide what lies beneath.
"""

import math
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from endoalign.world.renderer.processors import Processor

_INSET_COLOURS: Final = {"black": (0, 0, 0), "green": (20, 70, 45), "blue": (25, 45, 90)}
_LEGIBLE: Final = 12.0
"""Height in pixels at which letters are drawn before they are reduced."""
_PLACES: Final = {"left": (0.02, 0.2), "top": (0.3, 0.02), "right": (0.74, 0.08)}

Pixels = npt.NDArray[np.uint8]


def _lines(rng: np.random.Generator, count: int) -> list[str]:
    day, month, year = rng.integers(1, 29), rng.integers(1, 13), rng.integers(2009, 2024)
    hour, minute, second = rng.integers(7, 18), rng.integers(0, 60), rng.integers(0, 60)
    lines = [
        f"{day:02d}/{month:02d}/{year}",
        f"{hour:02d}:{minute:02d}:{second:02d}",
        f"CVP:{rng.integers(1, 40)}",
        f"Gr:N Cr:{rng.integers(0, 5)}",
        f"D.F:{rng.integers(0, 100):02d}",
        f"Eh:A{rng.integers(1, 8)} Ce:0",
        f"{rng.integers(0, 100):02d}%",
    ]
    return lines[:count]


def draw_text(frame: Pixels, place: str, scale: float, rng: np.random.Generator) -> Pixels:
    """Frame (H, W, 3) with burnt-in lines of text at a place, letters ``scale`` of the height.

    The letters are drawn as a large frame has them and reduced with it, so that those of a small
    frame are as faint as they are when a video is scaled down.
    """
    height, width = frame.shape[:2]
    finer = max(1, math.ceil(_LEGIBLE / (scale * height)))
    size = scale * height * finer
    mask = Image.new("L", (width * finer, height * finer))
    draw, font = ImageDraw.Draw(mask), ImageFont.load_default(size)
    left, top = _PLACES[place]
    grey = int(rng.integers(170, 256))
    for i, line in enumerate(_lines(rng, int(rng.integers(2, 8)))):
        draw.text((left * mask.width, top * mask.height + i * size * 1.25), line, grey, font)
    cover = np.asarray(mask.reduce(finer), dtype=np.float32)[..., None] / grey
    return np.rint(frame * (1.0 - cover) + grey * cover).astype(np.uint8)


def draw_inset(frame: Pixels, colour: str, rng: np.random.Generator) -> Pixels:
    """Frame with the box of the position indicator in its lower left corner."""
    height, width = frame.shape[:2]
    frame = frame.copy()
    top = round(height * rng.uniform(0.62, 0.7))
    right = round(width * rng.uniform(0.28, 0.36))
    frame[top:, :right] = _INSET_COLOURS[colour]
    if colour != "black":
        image = Image.fromarray(frame)
        draw = ImageDraw.Draw(image)
        points = [
            (right * (0.2 + 0.6 * rng.random()), top + (height - top) * (0.1 + 0.2 * k))
            for k in range(5)
        ]
        draw.line(points, (120, 200, 180), max(1, round(height * 0.02)), joint="curve")
        frame = np.array(image)
    return frame


def draw_overlays(frame: Pixels, processor: Processor, seed: int) -> Pixels:
    """Frame with the processor's own text and inset; chance comes from ``seed``."""
    rng = np.random.default_rng([seed & 0xFFFFFFFF, 0x7E87])
    if processor.inset is not None and rng.random() < 0.55:
        frame = draw_inset(frame, processor.inset, rng)
    if processor.text is not None and rng.random() < 0.8:
        frame = draw_text(frame, processor.text, 0.03, rng)
    return frame
