"""From light on the sensor to the processor's picture: exposure, blur, colour, sharpening, noise.

Works on float arrays (H, W, 3); the content mask keeps the black border black.
"""

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from endoalign.world.renderer.processors import Processor

Image = npt.NDArray[np.float32]
_LUMA = np.array([0.3, 0.59, 0.11], np.float32)


def _blur(image: Image, sigma: float) -> Image:
    if sigma < 0.2:
        return image
    return np.asarray(
        ndimage.gaussian_filter(image, (sigma, sigma, 0), mode="nearest", truncate=2.5)
    )


def expose(radiance: Image, content: npt.NDArray[np.bool_], target: float) -> Image:
    """Scale light so that the bright part of the content (88th percentile) meets ``target``."""
    luma = radiance[content] @ _LUMA
    level = float(np.percentile(luma, 88)) if luma.size else 1.0
    return np.asarray(radiance * np.float32(target / max(level, 1e-4)))


def tone(light: Image, processor: Processor, warmth: float) -> Image:
    """Display values 0 to 1: white balance, shoulder, gamma, contrast, saturation."""
    gain = np.array(processor.gain, np.float32)
    gain = gain * np.array([1.0 + warmth, 1.0, 1.0 - warmth], np.float32)
    value = light * gain
    value = 1.0 - np.exp(-value * (1.0 + 0.35 * value))
    value = np.power(np.maximum(value, 0.0), 1.0 / processor.gamma)
    value = (value - 0.5) * processor.contrast + 0.5
    grey = (value @ _LUMA)[..., None]
    return np.asarray(np.clip(grey + (value - grey) * processor.saturation, 0.0, 1.0), np.float32)


def _resample(image: Image, processor: Processor) -> Image:
    """Loss of a source of lower resolution: down and up again."""
    if processor.detail >= 1.0:
        return image
    return _blur(image, 0.45 / processor.detail)


def develop(
    radiance: Image,
    content: npt.NDArray[np.bool_],
    processor: Processor,
    rng: np.random.Generator,
    target: float = 0.75,
    defocus: float = 0.0,
    motion: tuple[float, float] = (0.0, 0.0),
) -> npt.NDArray[np.uint8]:
    """Finished picture (H, W, 3) uint8 without overlays.

    ``defocus`` and ``motion`` (right, down) are shares of the height; ``target`` is the display
    light of the bright parts (0.75 usual, 2 or more overexposed).
    """
    height, width = content.shape
    y = (np.arange(height, dtype=np.float32)[:, None] + 0.5) / height - 0.5
    x = (np.arange(width, dtype=np.float32)[None, :] + 0.5) / height - 0.5 * width / height
    shading = 1.0 - processor.vignette * np.minimum((x * x + y * y) * 2.2, 0.95)
    light = expose(radiance, content, target) * shading[..., None]
    light = np.minimum(light, 6.0)
    sigma = height * np.hypot(processor.softness * rng.uniform(0.4, 1.6), defocus)
    light = _blur(light, sigma)
    if motion != (0.0, 0.0):
        light = _smear(light, motion[0] * height, motion[1] * height)
    value = tone(light, processor, rng.normal(0, 0.03))
    value = _resample(value, processor)
    if processor.sharpen > 0.0:
        soft = _blur(value, 0.006 * height + 0.5)
        value = value + processor.sharpen * rng.uniform(0.5, 1.2) * (value - soft)
    if processor.interlace and rng.random() < 0.5:
        value[1::2] = np.roll(value[1::2], int(rng.integers(1, 3)), axis=1)
    grain = rng.standard_normal((height, width, 3), np.float32)
    value = value + processor.noise * rng.uniform(0.5, 1.5) * grain
    value[~content] = 0.0
    return (np.clip(value, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)


def _smear(light: Image, right: float, down: float) -> Image:
    """Motion blur along a straight path, by averaging shifted copies."""
    steps = max(2, round(float(np.hypot(right, down))))
    total = np.zeros_like(light)
    for share in np.linspace(-0.5, 0.5, steps):
        total += ndimage.shift(light, (down * share, right * share, 0), order=1, mode="nearest")
    return total / np.float32(steps)
