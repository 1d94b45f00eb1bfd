"""Colours as the eye weighs them: sRGB to CIE L*a*b*."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

_TO_XYZ: Final = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
"""Linear sRGB to XYZ (IEC 61966-2-1)."""
_WHITE: Final = _TO_XYZ.sum(axis=1)
"""XYZ of sRGB's white (D65)."""
_CUT: Final = 6 / 29


def to_lab(rgb: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return L* (0 to 100), a* (green to red) and b* (blue to yellow) of sRGB, uint8 (..., 3).

    CIE 1976 with the white point D65; a difference of about 2.3 is just noticeable.
    """
    xyz = _LINEAR[rgb] @ _TO_XYZ.T / _WHITE
    f = np.where(xyz > _CUT**3, np.cbrt(xyz), xyz / (3 * _CUT**2) + 4 / 29)
    x, y, z = f[..., 0], f[..., 1], f[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def _linear() -> NDArray[np.float64]:
    value = np.arange(256) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


_LINEAR: Final = _linear()
"""sRGB code value -> linear light."""
