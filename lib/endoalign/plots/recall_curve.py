"""Recall@K curves of several systems in both directions (EndoCLIP, Fig. 3b and c)."""

from collections.abc import Sequence
from typing import Final

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from endoalign.plots.columns import require_columns, say_nothing_to_show
from endoalign.plots.style import FULL_WIDTH, INK
from endoalign.plots.systems import CHANCE, system_colours

_COLUMNS: Final = ("system", "protocol", "metric", "value", "ci_low", "ci_high")
_TITLES: Final = {"i2t": "Image to text", "t2i": "Text to image"}
_MOST_A_ROW: Final = 7


def recall_curve(
    results: pd.DataFrame, *, protocol: str = "global", systems: Sequence[str] | None = None
) -> Figure:
    """Draw Recall@K against K, a panel a direction, chance dashed.

    Args:
        results: rows with the columns of `endoalign.results.COLUMNS`; those of metric
            ``recall@K`` and protocol ``PROTOCOL/i2t`` or ``PROTOCOL/t2i`` are drawn, with a band
            where they have an interval. One row a system, direction and K.
        protocol: ``global`` or another protocol.
        systems: which to draw, in order of the legend; ``None`` draws all.

    Raises:
        ValueError: a column is missing, a figure is given twice, or a system of ``systems`` has
            no rows.
    """
    require_columns(results, _COLUMNS, what="results")
    rows = _recall_rows(results, protocol)
    found = [name for name in rows["system"].unique() if name != CHANCE]
    shown = found if systems is None else list(systems)
    if unknown := [name for name in shown if name not in [*found, CHANCE]]:
        raise ValueError(f"no Recall@K of {unknown[0]!r} in {protocol!r}; there are {found}")
    figure, panels = plt.subplots(
        1, 2, figsize=(FULL_WIDTH, 3.9), sharey=True, layout="constrained"
    )
    colours = system_colours(shown)
    for axes, (direction, title) in zip(panels, _TITLES.items(), strict=True):
        chosen = rows[rows["protocol"] == f"{protocol}/{direction}"]
        for name in shown:
            _curve(axes, chosen[chosen["system"] == name], name, colours[name])
        if CHANCE not in shown:
            _curve(axes, chosen[chosen["system"] == CHANCE], CHANCE, INK)
        _dress(axes, sorted(chosen["k"].unique()), title)
    panels[0].set_ylabel("Recall@K (%)")
    handles, labels = panels[0].get_legend_handles_labels()
    if handles:
        figure.legend(
            handles,
            labels,
            loc="outside lower center",
            ncols=min(len(handles), _MOST_A_ROW),
            fontsize=8.5,
            columnspacing=1.2,
            handlelength=1.6,
        )
    return figure


def _recall_rows(results: pd.DataFrame, protocol: str) -> pd.DataFrame:
    wanted = results["protocol"].isin([f"{protocol}/{direction}" for direction in _TITLES])
    rows = results[wanted & results["metric"].str.fullmatch(r"recall@\d+")]
    rows = rows.assign(k=rows["metric"].str.removeprefix("recall@").astype(int))
    twice = rows[rows.duplicated(["system", "protocol", "k"])]
    if len(twice):
        first = twice.iloc[0]
        raise ValueError(
            f"{first['metric']} of {first['system']!r} in {first['protocol']!r} is given twice"
        )
    return rows.sort_values("k", kind="stable")


def _curve(axes: Axes, rows: pd.DataFrame, name: str, colour: str) -> None:
    if rows.empty:
        return
    k = rows["k"].to_numpy()
    value, low, high = (100 * rows[c].to_numpy(dtype=float) for c in ("value", "ci_low", "ci_high"))
    if name == CHANCE:
        axes.plot(k, value, color=colour, lw=1.1, ls=(0, (4, 3)), label=name)
        return
    if np.isfinite(low).any():
        axes.fill_between(k, low, high, color=colour, alpha=0.14, lw=0)
    axes.plot(k, value, color=colour, lw=1.8, marker="o", ms=4, label=name)


def _dress(axes: Axes, ks: list[int], title: str) -> None:
    axes.set_title(title)
    if not ks:
        say_nothing_to_show(axes, "no Recall@K")
        return
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(FixedLocator([float(k) for k in ks]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels([str(k) for k in ks])
    axes.set_xlabel("K")
    axes.set_ylim(bottom=0)
