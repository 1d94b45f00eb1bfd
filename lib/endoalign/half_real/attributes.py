"""Numbers of a view become the words that a sentence may use: fixed cut-offs, no sizes in cm.

A still has no scale: how large a polyp is in centimetres cannot be told from it, so size is the
share of the view alone. Nothing is said of the bowel either: a mask knows no region.
"""

from dataclasses import dataclass
from typing import Final

from endoalign.half_real.measures import Measures

SIZES: Final = (("small", 0.05), ("tenth", 0.14), ("fifth", 0.26), ("third", 0.42), ("half", 0.6))
"""Size class -> share of the view below which it holds; above the last it is ``most``."""
ROUND: Final = 0.8
"""Ratio of the axes from which a convex outline is round, else oval."""
CONVEX: Final = 0.94
"""Share of its convex hull that an outline must fill; below it is irregular."""
THIRDS: Final = (0.4, 0.6)
"""Where the middle of the view begins and ends, in shares of it: polyps gather there."""
NOTICEABLE: Final = 3.0
"""Difference of a* or b*, at equal lightness, from which a colour differs."""
DARKER: Final = -2.3
BRIGHTER: Final = 5.0
MUCH_BRIGHTER: Final = 18.0
"""Differences of L*; polyps stand out towards the lamp, so that most are brighter."""
CLEAR_STEP: Final = 20.0
BLURRED_STEP: Final = 13.0
"""Colour step across the margin (L*a*b*) of about the highest and the lowest third."""

COLUMNS: Final = ("left", "centre", "right")
ROWS: Final = ("upper", "middle", "lower")


@dataclass(frozen=True)
class Attributes:
    """What is true of the polyps of one view; ``None`` where a word would not be safe.

    Args:
        count: polyps in the view.
        size: class of the share of the view that they cover together (`SIZES`, ``most``).
        outline: ``round``, ``oval`` or ``irregular``; of one polyp only.
        position: ``ROW COLUMN`` of `ROWS` and `COLUMNS`; of one polyp only.
        colour: against the surroundings, at equal lightness: ``red``, ``pale``, ``yellow`` or
            ``mucosal`` (the same), as `endoalign.vocabulary.LESION_COLOURS`.
        brightness: ``darker``, ``same``, ``brighter`` or ``much brighter`` than the surroundings.
        margin: ``clear`` or ``blurred``; ``None`` between the two, and of several polyps.
    """

    count: int
    size: str
    outline: str | None
    position: str | None
    colour: str | None
    brightness: str | None
    margin: str | None


def attributes_of(measures: Measures) -> Attributes:
    """Put the numbers of a view into classes."""
    alone = measures.count == 1
    lightness, a, b = measures.colour or (None, 0.0, 0.0)
    colour = None if lightness is None else _colour(a, b)
    brightness = None if lightness is None else _brightness(lightness)
    if colour == "pale" and brightness == "darker":
        brightness = None  # true of the numbers, yet a contradiction to a reader
    return Attributes(
        count=measures.count,
        size=next((name for name, below in SIZES if measures.share < below), "most"),
        outline=_outline(measures) if alone else None,
        position=f"{_third(measures.y, ROWS)} {_third(measures.x, COLUMNS)}" if alone else None,
        colour=colour,
        brightness=brightness,
        margin=_margin(measures.step) if alone else None,
    )


def _outline(measures: Measures) -> str:
    if measures.solidity < CONVEX:
        return "irregular"
    return "round" if measures.axis_ratio >= ROUND else "oval"


def _third(place: float, names: tuple[str, str, str]) -> str:
    return names[(place >= THIRDS[0]) + (place > THIRDS[1])]


def _colour(a: float, b: float) -> str:
    if a >= NOTICEABLE and a >= b:
        return "red"
    if b >= NOTICEABLE:
        return "yellow"
    return "pale" if a <= -NOTICEABLE else "mucosal"


def _brightness(lightness: float) -> str:
    if lightness <= DARKER:
        return "darker"
    if lightness < BRIGHTER:
        return "same"
    return "brighter" if lightness < MUCH_BRIGHTER else "much brighter"


def _margin(step: float) -> str | None:
    if step >= CLEAR_STEP:
        return "clear"
    return "blurred" if step < BLURRED_STEP else None
