"""How a report states a size: one number, two diameters or a range, in mm or cm, at times in words.

The size that counts as stated is the largest number: the longer diameter, or the upper end of a
range, since reports grade a polyp by the largest it may be.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

_PRODUCT_SHARE = 0.22
_RANGE_SHARE = 0.08


@dataclass(frozen=True)
class SizeStatement:
    """Numbers in mm as written, in their order.

    ``form`` is "single", "product" (two diameters) or "range"; ``unit`` "mm" or "cm"; ``words``
    asks for the number as a word where the language has a short one.
    """

    form: str
    unit: str
    millimetres: tuple[int, ...]
    words: bool = False

    @property
    def size_cm(self) -> float:
        """The stated size in cm: the largest number."""
        return max(self.millimetres) / 10


def state_size(
    sizes_cm: Sequence[float], unit: str, words: bool, rng: random.Random
) -> SizeStatement:
    """State the true diameters of the lesions meant: one, or several of one finding at once."""
    whole = sorted({max(1, _nearest(10 * size)) for size in sizes_cm})
    if len(whole) > 1:
        return SizeStatement("range", unit, (whole[0], whole[-1]))
    draw = rng.random()
    if len(sizes_cm) == 1 and draw < _PRODUCT_SHARE:
        return SizeStatement("product", unit, _diameters(whole[0], rng))
    if len(sizes_cm) == 1 and draw < _PRODUCT_SHARE + _RANGE_SHARE:
        low = max(1, math.floor(10 * sizes_cm[0]))
        return SizeStatement("range", unit, (low, low + 1 + (rng.random() < 0.3)))
    return SizeStatement("single", unit, (whole[0],), words and unit == "mm")


def number(millimetres: int, unit: str) -> str:
    """A length as written in ``unit``: "6", "0.6", "1.2"; whole centimetres as "1"."""
    return str(millimetres) if unit == "mm" else f"{millimetres / 10:g}"


def _nearest(value: float) -> int:
    return math.floor(value + 0.5)


def _diameters(longest: int, rng: random.Random) -> tuple[int, int]:
    """The longest diameter and one across it, as a rule the longest first."""
    across = max(1, _nearest(longest * rng.uniform(0.6, 1.0)))
    return (across, longest) if rng.random() < 0.1 else (longest, across)
