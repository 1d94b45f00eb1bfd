"""Ranked bars: how often each category occurs, the most frequent at the top."""

from collections.abc import Mapping

from matplotlib.axes import Axes

from endoalign.plots.style import INK, PALETTE


def ranked_bars(
    counts: Mapping[str, int], whole: int, axes: Axes, *, xlabel: str, colour: str = PALETTE[0]
) -> None:
    """Draw one bar a category, as a share of ``whole``, with the count beside it.

    Args:
        counts: category -> count; empty draws an empty axes that says so.
        whole: number that 100 % stands for.
    """
    if not counts or whole <= 0:
        axes.text(0.5, 0.5, "none in this corpus", ha="center", transform=axes.transAxes)
        axes.set_axis_off()
        return
    ranked = sorted(counts.items(), key=lambda item: (item[1], item[0]))
    shares = [100 * count / whole for _, count in ranked]
    axes.barh([name.replace("_", " ") for name, _ in ranked], shares, color=colour, height=0.7)
    for position, ((_, count), share) in enumerate(zip(ranked, shares, strict=True)):
        axes.text(share, position, f" {count:,}", va="center", fontsize=7.5, color=INK)
    axes.set_xlim(0, max(shares) * 1.16)
    axes.set_xlabel(xlabel)
    axes.tick_params(axis="y", length=0, labelsize=8)
