"""Forest plot: paired differences between systems, with intervals and p values."""

import math
import re
from typing import Final

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from endoalign.plots.columns import require_columns, say_nothing_to_show
from endoalign.plots.metric_text import figure_name, is_share
from endoalign.plots.style import FULL_WIDTH, INK, MUTED, PALETTE

_COLUMNS: Final = ("system", "protocol", "metric", "value", "ci_low", "ci_high", "note")
_PREFIX: Final = "delta:"
_P_VALUE: Final = re.compile(r"\b(p_holm|p)\s*=\s*([\d.eE+-]+)")
_SMALLEST_P: Final = 0.001
_CLEAR: Final = 0.05
_FIGURES_WIDTH: Final = 142  # points of the longest "+0.060 (+0.040 to +0.080)"


def differences(results: pd.DataFrame) -> Figure:
    """Draw a row a comparison, grouped by protocol and metric, with its figures at the right.

    A filled marker is a difference with p below 0.05. The p value is Holm's where the note has one
    (``p_holm=``), else the plain one (``p=``); without any, the interval must exclude 0.

    Args:
        results: rows with the columns of `endoalign.results.COLUMNS`; those of metric
            ``delta:METRIC`` are drawn in their order, shares in percentage points.

    Raises:
        ValueError: a column is missing.
    """
    require_columns(results, _COLUMNS, what="results")
    rows = results[results["metric"].str.startswith(_PREFIX)]
    groups = list(rows.groupby(["protocol", "metric"], sort=False))
    if not groups:
        figure, axes = plt.subplots(figsize=(FULL_WIDTH, 1.2), layout="constrained")
        say_nothing_to_show(axes, "no systems were compared")
        return figure
    sizes = [len(group) for _, group in groups]
    figure, grid = plt.subplots(
        len(groups),
        1,
        figsize=(FULL_WIDTH, sum(0.3 * n + 0.75 for n in sizes)),
        height_ratios=[n + 0.4 for n in sizes],
        squeeze=False,
        layout="constrained",
    )
    for axes, ((protocol, metric), group) in zip(grid.flat, groups, strict=True):
        _panel(axes, group, str(metric))
        unit = " (percentage points)" if is_share(str(metric)) else ""
        axes.set_title(f"difference in {figure_name(str(protocol), str(metric))}{unit}")
    return figure


def p_value(note: str) -> tuple[str, float]:
    """The p value of a note and its kind: ``p_holm`` where there is one, else ``p``, else NaN."""
    found = {kind: float(text) for kind, text in _P_VALUE.findall(note)}
    kind = "p_holm" if "p_holm" in found else "p"
    return kind, found.get(kind, math.nan)


def _panel(axes: Axes, group: pd.DataFrame, metric: str) -> None:
    scale = 100 if is_share(metric) else 1
    notes = group["note"].fillna("").astype(str).tolist()
    axes.axvline(0, color=INK, lw=0.9, zorder=0)
    numbers = scale * group[["value", "ci_low", "ci_high"]].to_numpy(dtype=float)
    for place, (value, low, high) in enumerate(numbers.tolist()):
        _, p = p_value(notes[place])
        clear = (low > 0 or high < 0) if math.isnan(p) else p < _CLEAR
        colour = PALETTE[0] if clear else MUTED
        if not math.isnan(low):
            axes.plot([low, high], [place, place], color=colour, lw=1.6, label="_interval")
        face = colour if clear else "white"
        axes.plot(value, place, "o", ms=7, color=colour, mfc=face, mew=1.4, label="_value")
        _text(axes, place, _figures_text(value, low, high, scale), notes[place])
    axes.set_yticks(range(len(group)), group["system"].tolist())
    axes.set_ylim(len(group) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _text(axes: Axes, place: int, figures: str, note: str) -> None:
    kind, p = p_value(note)
    name = "p (Holm)" if kind == "p_holm" else "p"
    if math.isnan(p):
        tested = ""
    else:
        tested = f"{name} < {_SMALLEST_P}" if p < _SMALLEST_P else f"{name} = {p:.3f}"
    for right, text in ((8, figures), (8 + _FIGURES_WIDTH, tested)):
        axes.annotate(
            text,
            xy=(1, place),
            xycoords=("axes fraction", "data"),
            xytext=(right, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
        )


def _figures_text(value: float, low: float, high: float, scale: int) -> str:
    digits = 1 if scale > 1 else 3
    if math.isnan(value):
        return "not defined"
    text = _signed(value, digits)
    return (
        text if math.isnan(low) else f"{text} ({_signed(low, digits)} to {_signed(high, digits)})"
    )


def _signed(value: float, digits: int) -> str:
    if round(value, digits) == 0:  # without a sign
        return f"{0:.{digits}f}"
    return f"{value:+.{digits}f}".replace("-", "−")
