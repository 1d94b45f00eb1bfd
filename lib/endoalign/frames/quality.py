"""How usable a frame is: sharpness, exposure and colour of its content, each from 0 to 1."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from endoalign.frames.windows import window_min

WORKING_SIDE: Final = 192
"""Pixels of the shorter side at which quality is measured; smaller frames are left as they are."""
HALF_SHARPNESS: Final = 0.035
"""Relative Laplacian at which sharpness is 0.5, about the median of 420 real colonoscopy frames."""
DARK: Final = 0.06
BRIGHT: Final = 0.96
"""Luma (0..1) below which a pixel counts as dark and above which as burnt out."""
FULL_SATURATION: Final = 0.3
"""Saturation from which a reddish pixel counts fully as tissue."""

Plane = NDArray[np.float32]


@dataclass(frozen=True)
class Quality:
    """``score`` is the geometric mean of the three parts, so a frame bad in one part is bad."""

    score: float
    sharpness: float
    exposure: float
    colour: float


def measure_quality(rgb: NDArray[np.uint8], mask: NDArray[np.bool_]) -> Quality:
    """Measure the content of a frame: ``rgb`` uint8 (h, w, 3), ``mask`` true on content (h, w).

    An empty mask gives 0 throughout. Each part is defined at its function below; Y is luma and
    R, G, B lie in 0..1.
    """
    red, green, blue, inside = _working_size(rgb, mask)
    if not inside.any():
        return Quality(0.0, 0.0, 0.0, 0.0)
    luma = 0.299 * red + 0.587 * green + 0.114 * blue  # ITU-R BT.601
    sound = inside & (luma >= DARK) & (luma <= BRIGHT)
    parts = (
        _sharpness(luma, inside),
        _exposure(luma[inside]),
        _colour(red[sound], green[sound], blue[sound]),
    )
    return Quality(math.prod(parts) ** (1 / 3), *parts)


def _working_size(
    rgb: NDArray[np.uint8], mask: NDArray[np.bool_]
) -> tuple[Plane, Plane, Plane, NDArray[np.bool_]]:
    """Return the red, green and blue planes (0..1) and the mask, reduced to the working side."""
    height, width = mask.shape
    scale = min(1.0, WORKING_SIDE / min(height, width))
    if scale < 1:
        size = (round(width * scale), round(height * scale))
        rgb = np.asarray(Image.fromarray(rgb).resize(size, Image.Resampling.BOX))
        mask = np.asarray(Image.fromarray(mask).resize(size, Image.Resampling.NEAREST))
    red, green, blue = (rgb[..., k].astype(np.float32) / np.float32(255) for k in range(3))
    return red, green, blue, mask


def _sharpness(luma: Plane, inside: NDArray[np.bool_]) -> float:
    """Return E / (E + E0) with E = mean |Laplacian of smoothed Y| / mean Y over the content.

    The mean of absolute values, not the variance: blur can only lower it, and a few specular
    spots do not carry it. Dividing by mean Y makes it independent of the lamp. The content is
    shrunk by three pixels so that its outline is no edge, unless nothing would be left.
    """
    core = window_min(inside.view(np.uint8), 7).view(np.bool_)
    core = core if core.any() else inside
    smooth = ndimage.uniform_filter(luma, 3, mode="nearest")
    response = np.abs(ndimage.laplace(smooth, mode="nearest"))
    mean = float(luma[core].mean())
    if mean == 0:
        return 0.0
    energy = float(response[core].mean()) / mean
    return energy / (energy + HALF_SHARPNESS)


def _exposure(luma: Plane) -> float:
    """Return max(0, 1 - d - 2 b): d and b are the shares of dark and of burnt-out pixels.

    Burnt-out pixels count twice, because a dark lumen belongs to a good frame and glare does not.
    """
    dark, bright = float((luma < DARK).mean()), float((luma > BRIGHT).mean())
    return max(0.0, 1 - dark - 2 * bright)


def _colour(red: Plane, green: Plane, blue: Plane) -> float:
    """Return the mean of min(1, s / 0.3), s = (R - min(G, B)) / R where red leads, else 0.

    Tissue under white light is red before all; grey, green or blue pictures (test charts, frames
    outside the body) score near 0, and so do narrow-band frames. The pixels given are those
    neither dark nor burnt out, which have no reliable hue; without any the score is 0.
    """
    if not red.size:
        return 0.0
    leads = red >= np.maximum(green, blue)
    saturation = np.where(leads, 1 - np.minimum(green, blue) / np.maximum(red, DARK), 0.0)
    return float(np.minimum(1, saturation / FULL_SATURATION).mean())
