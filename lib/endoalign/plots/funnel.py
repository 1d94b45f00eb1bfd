"""Funnel: how many reports or frames remain after each step of curation."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from endoalign.plots.style import FULL_WIDTH, INK, MUTED, PALETTE


def funnel(steps: Sequence[tuple[str, int]], *, unit: str, axes: Axes | None = None) -> Figure:
    """Draw one bar a step, with its count and its share of the first step.

    Args:
        steps: (label, count) in order; the first is the whole.
        unit: what is counted, for the title of the axis.

    Raises:
        ValueError: no steps.
    """
    if not steps:
        raise ValueError("a funnel needs at least one step")
    if axes is None:
        _, axes = plt.subplots(figsize=(FULL_WIDTH, 0.55 * len(steps) + 0.8))
    labels = [label for label, _ in steps]
    counts = [count for _, count in steps]
    axes.barh(labels, counts, color=PALETTE[0], height=0.66)
    whole = counts[0]
    for position, count in enumerate(counts):
        share = f"  {count:,} ({count / whole:.0%})" if whole else f"  {count:,}"
        axes.text(count, position, share, va="center", fontsize=9, color=INK)
    axes.invert_yaxis()
    axes.set_xlabel(unit)
    axes.set_xlim(0, max(*counts, 1) * 1.22)
    axes.spines["left"].set_color(MUTED)
    axes.tick_params(axis="y", length=0)
    figure = axes.get_figure()
    assert isinstance(figure, Figure)
    return figure
