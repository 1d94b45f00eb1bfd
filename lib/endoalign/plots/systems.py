"""Order, short names and colours of the systems, the same in every figure."""

from collections.abc import Iterable
from typing import Final

from endoalign.plots.style import ACCENT, INK, MUTED, PALETTE

LADDER: Final = ("EndoCLIP-I", "EndoCLIP-II", "EndoCLIP-III", "EndoCLIP")
"""The checkpoints in order of training (EndoCLIP, Fig. 3e)."""
CONTROLS: Final = ("naive", "oracle")
CHANCE: Final = "chance"

_SHORT: Final = dict(zip(LADDER, ("I", "II", "III", "full"), strict=True))
_COLOURS: Final = {
    "EndoCLIP-I": "#92bbd4",
    "EndoCLIP-II": "#6499b9",
    "EndoCLIP-III": "#3d759b",
    "EndoCLIP": "#173f5c",
    "naive": ACCENT,
    "oracle": PALETTE[2],
    "random-init": MUTED,
    CHANCE: INK,
}
_OTHERS: Final = (PALETTE[3], PALETTE[4], "#4aa3a2", "#a8697f", "#7d7f4b", "#c58b6b")


def short_name(system: str) -> str:
    """Name under an axis: ``I``, ``II``, ``III``, ``full``; other systems keep theirs."""
    return _SHORT.get(system, system)


def system_colours(systems: Iterable[str]) -> dict[str, str]:
    """Colour of each system: the ladder from light to dark blue, each control its own.

    Other systems take further colours in their order of appearance, again from the first where
    there are more than six.
    """
    names = list(dict.fromkeys(systems))
    others = [name for name in names if name not in _COLOURS]
    chosen = {name: _OTHERS[i % len(_OTHERS)] for i, name in enumerate(others)}
    return {name: _COLOURS.get(name) or chosen[name] for name in names}
