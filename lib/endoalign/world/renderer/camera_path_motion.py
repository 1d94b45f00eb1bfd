"""How the hand moves in time: slow sways, a fine tremor, the way to a spot and back."""

from typing import Final

import numpy as np
from scipy import ndimage

from endoalign.world.renderer.scene import FloatArray

MOVES: Final = ("approach", "withdrawal", "inspection")
"""Towards a spot; from the spot back down the lumen; round the spot all the while."""


def sway(
    times: FloatArray, size: float, hertz: tuple[float, float], rng: np.random.Generator
) -> FloatArray:
    """A smooth wander (n, 3) of root mean square about ``size``: two sines an axis."""
    rates = 2 * np.pi * rng.uniform(*hertz, (2, 1, 3))
    phases = rng.uniform(0, 2 * np.pi, (2, 1, 3))
    return np.asarray(size * np.sin(times[None, :, None] * rates + phases).sum(0))


def nearness(move: str, times: FloatArray, rng: np.random.Generator) -> FloatArray:
    """How close to the spot the tip is at each time (n,): 0 back in the lumen, 1 before the spot.

    ``ValueError`` for an unknown move.
    """
    if move not in MOVES:
        raise ValueError(f"move {move!r} is unknown; use one of {', '.join(MOVES)}")
    share = times / max(float(times[-1]), 1e-9)
    if move == "inspection":
        return np.asarray(0.85 + 0.15 * np.sin(2 * np.pi * (rng.random() + 0.7 * share)))
    begin, end = rng.uniform(0.0, 0.2), rng.uniform(0.55, 0.9)
    if move == "withdrawal":
        share = 1.0 - share
    h = np.clip((share - begin) / (end - begin), 0.0, 1.0)
    return np.asarray(h * h * (3.0 - 2.0 * h))


def smoothed(values: FloatArray, times: FloatArray, seconds: float) -> FloatArray:
    """Values (n, 3) smoothed over ``seconds``."""
    if len(times) < 2:
        return values
    sigma = seconds / float(times[1] - times[0])
    return np.asarray(ndimage.gaussian_filter1d(values, sigma, axis=0, mode="nearest"))
