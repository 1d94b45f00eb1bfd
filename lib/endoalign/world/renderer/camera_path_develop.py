"""Pictures of a clip: the camera chain with one setting throughout, and an exposure that lags."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from endoalign.world.renderer.camera_chain import Image, develop
from endoalign.world.renderer.processors import Processor
from endoalign.world.renderer.scene import Camera

SHUTTER: Final = 1.0 / 80.0
"""Time that a frame is exposed for, seconds."""
_LAG: Final = 0.2
"""Seconds in which the automatic exposure makes good most of a change."""
_LUMA: Final = np.array([0.3, 0.59, 0.11], np.float32)


class SteadyChance(np.random.Generator):
    """A generator that draws the same settings for every frame of a clip, and new grain."""

    def __init__(self, clip_seed: int, frame: int) -> None:
        super().__init__(np.random.PCG64([clip_seed & 0xFFFFFFFF, 0xC11B]))
        self._grain = np.random.default_rng([clip_seed & 0xFFFFFFFF, frame, 0x94A1])

    def standard_normal(self, *args: Any, **kwargs: Any) -> Any:
        """Normal noise of this frame alone; arguments as of `numpy.random.Generator`."""
        return self._grain.standard_normal(*args, **kwargs)


class Exposure:
    """Automatic exposure: meets ``target`` in the end, a little late after a change of light."""

    def __init__(self, target: float, fps: float) -> None:
        self._target = target
        self._share = 1.0 - float(np.exp(-1.0 / (fps * _LAG)))
        self._level: float | None = None

    def next(self, radiance: Image, content: npt.NDArray[np.bool_]) -> float:
        """Target for the coming frame (H, W, 3), whose bright parts `expose` scales to it."""
        luma = radiance[content] @ _LUMA
        now = float(np.log(max(float(np.percentile(luma, 88)) if luma.size else 1.0, 1e-4)))
        kept = now if self._level is None else self._level
        self._level = kept + self._share * (now - kept)
        return self._target * float(np.exp(np.clip(now - self._level, -0.7, 0.7)))


def smear(before: Camera, after: Camera, fps: float) -> tuple[float, float]:
    """Motion blur (right, down; shares of the height) of a turn between two frames."""
    right, up, ahead = before.rotation @ after.rotation[2]
    if ahead <= 0.0:
        return 0.0, 0.0
    scale = SHUTTER * fps / (2.0 * before.half_view)
    return float(right * scale), float(-up * scale)


def develop_in_clip(
    radiance: Image,
    content: npt.NDArray[np.bool_],
    processor: Processor,
    clip_seed: int,
    frame: int,
    target: float,
    motion: tuple[float, float],
) -> npt.NDArray[np.uint8]:
    """Picture (H, W, 3) uint8 of one frame of a clip; without overlays.

    Softness, white balance and sharpening are those of all its frames; only the grain is new.
    """
    height = content.shape[0]
    blurred = motion if np.hypot(*motion) * height > 0.75 else (0.0, 0.0)
    chance = SteadyChance(clip_seed, frame)
    return develop(radiance, content, processor, chance, target, motion=blurred)
