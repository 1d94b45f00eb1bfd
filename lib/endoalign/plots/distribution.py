"""Distribution of one quantity, its percentiles marked as in EndoCLIP, Fig. 1 e-g."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from endoalign.plots.style import ACCENT, INK, PALETTE

PERCENTILES = (25, 50, 75, 90, 99)


def distribution(
    values: Sequence[float] | np.ndarray | pd.Series,
    axes: Axes,
    *,
    xlabel: str,
    bins: int | list[float] = 30,
    colour: str = PALETTE[0],
) -> None:
    """Draw a histogram with a line at the median and ticks at the percentiles P25 to P99.

    Args:
        values: finite numbers of any count; NaN is left out; none draws axes that say so.
    """
    numbers = np.asarray(values, dtype=float)
    numbers = numbers[np.isfinite(numbers)]
    if numbers.size == 0:
        axes.text(0.5, 0.5, "none in this corpus", ha="center", transform=axes.transAxes)
        axes.set_axis_off()
        return
    axes.hist(numbers, bins=bins, color=colour, alpha=0.85)
    top = axes.get_ylim()[1]
    for percentile in PERCENTILES:
        place = float(np.percentile(numbers, percentile))
        axes.plot([place, place], [0, top], color=ACCENT, lw=1.4 if percentile == 50 else 0.6)
    median = float(np.median(numbers))
    axes.text(median, top * 1.02, f"median {median:.3g}", color=ACCENT, fontsize=8, ha="center")
    axes.set_ylim(0, top * 1.1)
    axes.set_xlabel(xlabel)
    axes.set_ylabel("count", color=INK)
