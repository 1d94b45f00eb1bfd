"""Random numbers that depend on what they are for, not on who draws them or when.

Workers, processes and resumed runs then draw the same. The numbers come from SplitMix64 (Steele,
Lea and Flood 2014, OOPSLA), a hash of a counter, so that those of any items can be had alone.
"""

import hashlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_MIXERS: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))


def uniform(
    purpose: str, seed: int, epoch: int, items: NDArray[np.int64], draws: int
) -> NDArray[np.float64]:
    """Numbers in [0, 1) for each item: (n, draws).

    Args:
        purpose: what the numbers are for; each purpose has numbers of its own.
        items: (n,) numbers of the items, 0 or more.
        draws: how many numbers an item needs; must be the same for all items of one purpose.
    """
    counters = (items[:, None] * draws + np.arange(draws)).astype(np.uint64)
    bits = _hashed(counters, key(purpose, seed, epoch)) >> np.uint64(11)
    return bits.astype(np.float64) * 2.0**-53


def key(purpose: str, *numbers: int) -> int:
    """A 64-bit number that stands for a purpose and some numbers."""
    text = " ".join([purpose, *map(str, numbers)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def _hashed(counters: NDArray[np.uint64], start: int) -> NDArray[np.uint64]:
    mixed = (counters + np.uint64(1)) * _STEP + np.uint64(start)  # overflow wraps, as is meant
    for shift, factor in _MIXERS:
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))
