"""Reliability: how often a match is right against its score, and how many matches there are."""

from collections.abc import Mapping
from typing import Final

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from endoalign.plots.columns import require_columns, say_nothing_to_show
from endoalign.plots.style import FULL_WIDTH, PALETTE, mark_value

COLUMNS: Final = (
    "score_low",
    "score_high",
    "score_mean",
    "n",
    "accuracy",
    "ci_low",
    "ci_high",
)
_COLOURS: Final = (PALETTE[0], PALETTE[3], PALETTE[2], PALETTE[4])
_NARROWEST_BAR: Final = 0.006  # of the range of scores


def reliability(
    curves: Mapping[str, pd.DataFrame],
    *,
    threshold: float | None = None,
    xlabel: str = "score of the match",
) -> Figure:
    """Draw accuracy with its interval a bin of scores, and beneath it the matches a bin.

    Bins may differ in width, and from curve to curve; a bin of one score is drawn as a thin bar.

    Args:
        curves: name -> table with the columns `COLUMNS`, a row a bin: its edges and mean
            score, the number of matches, the share that is right (0 to 1, NaN where there are
            none) and its interval (`endoalign.evaluation.reliability`).
        threshold: score above which matches are kept, marked by a line.

    Raises:
        ValueError: no curves, more than four, or a table without one of the columns.
    """
    if not curves:
        raise ValueError("a reliability figure needs at least one curve")
    if len(curves) > len(_COLOURS):
        raise ValueError(f"at most {len(_COLOURS)} curves can be told apart, got {list(curves)}")
    for name, table in curves.items():
        require_columns(table, COLUMNS, what=f"reliability of {name!r}")
    figure, (upper, lower) = plt.subplots(
        2,
        1,
        figsize=(FULL_WIDTH * 0.72, 4.0),
        sharex=True,
        height_ratios=[3, 1],
        layout="constrained",
    )
    if not sum(int(table["n"].sum()) for table in curves.values()):
        say_nothing_to_show(upper, "no matches")
        say_nothing_to_show(lower, "")
        return figure
    for (name, table), colour in zip(curves.items(), _COLOURS, strict=False):
        if len(table):
            _curve(upper, lower, table, name, colour)
    _dress(upper, lower, xlabel, threshold)
    if len(curves) > 1:
        upper.legend(loc="lower right", fontsize=9)
    return figure


def _curve(upper: Axes, lower: Axes, table: pd.DataFrame, name: str, colour: str) -> None:
    """Points at the mean scores of the bins, bars as wide as the bins."""
    low, high, accuracy, ci_low, ci_high = (
        table[column].to_numpy(dtype=float)
        for column in ("score_low", "score_high", "accuracy", "ci_low", "ci_high")
    )
    place = table["score_mean"].to_numpy(dtype=float)
    known = np.isfinite(accuracy)
    spread = 100 * np.abs([accuracy - ci_low, ci_high - accuracy])[:, known]
    upper.errorbar(
        place[known],
        100 * accuracy[known],
        yerr=np.nan_to_num(spread),
        color=colour,
        marker="o",
        ms=5,
        lw=1.3,
        elinewidth=1.1,
        capsize=2.5,
        label=name,
    )
    narrowest = _NARROWEST_BAR * (np.nanmax(high) - np.nanmin(low) or 1.0)
    width = np.maximum(high - low, narrowest)
    lower.bar(
        (low + high) / 2,
        table["n"].to_numpy(),
        width=width,
        facecolor=to_rgba(colour, 0.45),
        edgecolor=colour,
        lw=0.8,
    )


def _dress(upper: Axes, lower: Axes, xlabel: str, threshold: float | None) -> None:
    upper.set_ylabel("right matches (%)")
    upper.set_ylim(0, 104)
    lower.set_ylabel("matches")
    lower.yaxis.set_major_locator(MaxNLocator(3, integer=True))
    lower.set_xlabel(xlabel)
    if threshold is None:
        return
    mark_value(upper, threshold, f"threshold {threshold:.3g}")
    mark_value(lower, threshold, "")
