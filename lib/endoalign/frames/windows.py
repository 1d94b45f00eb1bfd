"""Minimum and maximum over square windows, by a logarithmic number of array operations."""

import numpy as np
from numpy.typing import NDArray


def window_min(image: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """Return the minimum over the ``side`` x ``side`` pixels around each pixel, uint8 (h, w).

    ``side`` is odd; beyond its edges the image continues with its edge pixels. On a mask as
    uint8 this is erosion.
    """
    return _over_windows(image, side, np.minimum)


def window_max(image: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """Return the maximum over the windows that `window_min` describes; on a mask dilation."""
    return _over_windows(image, side, np.maximum)


def _over_windows(image: NDArray[np.uint8], side: int, pick: np.ufunc) -> NDArray[np.uint8]:
    if side < 1 or side % 2 == 0:
        raise ValueError(f"side is {side}, not an odd number from 1")
    padded = np.pad(image, side // 2, mode="edge")
    rows = _over_runs(padded, side, pick)
    return np.ascontiguousarray(_over_runs(rows.T, side, pick).T)


def _over_runs(lines: NDArray[np.uint8], length: int, pick: np.ufunc) -> NDArray[np.uint8]:
    """Return the pick over each run of ``length`` rows, by doubling the runs already picked."""
    covered = 1
    while covered < length:
        step = min(covered, length - covered)
        lines = pick(lines[:-step], lines[step:])
        covered += step
    return lines
