"""Sweep of a threshold: precision, recall, F1 and share kept, the chosen value marked."""

import math
from typing import Final

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from endoalign.plots.columns import require_columns, say_nothing_to_show
from endoalign.plots.metric_text import metric_name
from endoalign.plots.style import FULL_WIDTH, PALETTE, mark_value

_STYLES: Final = {
    "precision": (PALETTE[0], "-"),
    "accuracy": (PALETTE[0], "-"),
    "recall": (PALETTE[3], "-"),
    "f1": (PALETTE[2], "-"),
    "kept_share": (PALETTE[5], (0, (5, 2))),
}


def sweep(
    table: pd.DataFrame,
    *,
    chosen: float | None = None,
    x: str = "threshold",
    xlabel: str | None = None,
    title: str = "",
    axes: Axes | None = None,
) -> Figure:
    """Draw each metric of a sweep against the value that was swept.

    The legend tells each metric at the chosen value, read off the lines (linear between rows).

    Args:
        table: a row a value; column ``x`` and any of ``precision``, ``accuracy``, ``recall``,
            ``f1``, ``kept_share`` (0 to 1). Rows may come in any order; NaN leaves a gap.
        chosen: the value that was chosen, marked by a line.
        x: column that was swept.

    Raises:
        ValueError: no column ``x``, or none of the metrics.
    """
    require_columns(table, [x], what="sweep")
    metrics = [name for name in _STYLES if name in table.columns]
    if not metrics:
        raise ValueError(f"a sweep needs one of {list(_STYLES)}, got {list(table.columns)}")
    if axes is None:
        _, axes = plt.subplots(figsize=(FULL_WIDTH * 0.72, 3.2), layout="constrained")
    figure = axes.get_figure()
    assert isinstance(figure, Figure)
    axes.set_title(title, pad=6 if chosen is None else 20)
    ordered = table.dropna(subset=[x]).sort_values(x)
    if ordered.empty:
        say_nothing_to_show(axes, "nothing was swept")
        return figure
    values = ordered[x].to_numpy(dtype=float)
    for name in metrics:
        _line(axes, values, 100 * ordered[name].to_numpy(dtype=float), name, chosen)
    if chosen is not None:
        mark_value(axes, chosen, f"chosen {chosen:.3g}")
    axes.set_xlabel(xlabel or x.replace("_", " "))
    axes.set_ylabel("%")
    axes.set_ylim(0, 104)
    heading = None if chosen is None else f"at {chosen:.3g}"
    axes.legend(
        loc="center left",
        bbox_to_anchor=(1.01, 0.5),
        title=heading,
        fontsize=9,
        title_fontsize=9,
        alignment="left",
    )
    return figure


def _line(axes: Axes, x: np.ndarray, y: np.ndarray, name: str, chosen: float | None) -> None:
    colour, style = _STYLES[name]
    label = metric_name(name)
    if chosen is not None:
        at = _read_off(x, y, chosen)
        label += "  –" if math.isnan(at) else f"  {at:.1f} %"
        axes.plot([chosen], [at], "o", ms=5, color=colour, mec="white", mew=0.8, zorder=4)
    marker = "o" if len(x) == 1 else ""
    axes.plot(x, y, color=colour, ls=style, lw=1.8, marker=marker, label=label)


def _read_off(x: np.ndarray, y: np.ndarray, at: float) -> float:
    """Height of the drawn line at ``at``; NaN outside the sweep or in a gap."""
    return float(np.interp(at, x, y, left=math.nan, right=math.nan))
