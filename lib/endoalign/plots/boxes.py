"""Boxes and arrows of a diagram, on axes whose unit is the inch."""

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from endoalign.plots.style import MUTED


def rounded_box(
    axes: Axes,
    left: float,
    middle: float,
    width: float,
    height: float,
    *,
    edge: str,
    rounding: float,
) -> None:
    """Draw a white box with round corners; ``middle`` is the height of its centre."""
    axes.add_patch(
        FancyBboxPatch(
            (left, middle - height / 2),
            width,
            height,
            boxstyle=f"round,pad=0,rounding_size={rounding}",
            facecolor="white",
            edgecolor=edge,
            lw=1.4,
        )
    )


def arrow(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], *, gap: float = 2.0
) -> None:
    """Draw a straight arrow that stops ``gap`` points short of both ends."""
    props = {"arrowstyle": "-|>", "color": MUTED, "lw": 1.2, "shrinkA": gap, "shrinkB": gap}
    axes.annotate("", xy=end, xytext=start, arrowprops=props)
