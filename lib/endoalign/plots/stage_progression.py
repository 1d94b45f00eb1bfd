"""Progression over the stages: each system's figures beside the paper's (EndoCLIP, Fig. 3e)."""

import math
from collections.abc import Sequence
from typing import Final

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from endoalign.plots.by_system import Measured, by_system
from endoalign.plots.columns import say_nothing_to_show
from endoalign.plots.metric_text import figure_name, is_share, value_text
from endoalign.plots.style import FULL_WIDTH, INK, MUTED
from endoalign.plots.systems import CHANCE, CONTROLS, LADDER, short_name, system_colours

FIGURES: Final = (("global/mean", "recall@1"), ("intra_case/mean", "recall@1"), ("frames", "auroc"))

_BESIDE: Final = 0.27
"""How far the paper's marker stands to the right of ours, in places of the axis."""


def stage_progression(
    results: pd.DataFrame,
    *,
    paper: pd.DataFrame | None = None,
    figures: Sequence[tuple[str, str]] = FIGURES,
    systems: Sequence[str] = (*LADDER, *CONTROLS),
) -> Figure:
    """Draw a panel a figure: the ladder joined by a line, the controls beside it, chance dashed.

    Args:
        results: rows with the columns of `endoalign.results.COLUMNS`; one row a system and
            figure. System ``chance`` is the dashed line.
        paper: the paper's values, same columns (`paper_values.paper_figures`): hollow markers.
        figures: (protocol, metric) of each panel.
        systems: along the axis; those that no panel knows are left out.

    Raises:
        ValueError: a column is missing, no figures, or a figure is given twice.
    """
    if not figures:
        raise ValueError("a progression needs at least one figure")
    figure, grid = plt.subplots(
        1, len(figures), figsize=(FULL_WIDTH, 3.5), squeeze=False, layout="constrained"
    )
    for axes, (protocol, metric) in zip(grid.flat, figures, strict=True):
        here = by_system(results, protocol, metric)
        there = {} if paper is None else by_system(paper, protocol, metric)
        shown = [s for s in systems if s in here and not math.isnan(here[s].value)]
        _title(axes, protocol, metric)
        if shown:
            _panel(axes, here, there, shown, metric)
        else:
            say_nothing_to_show(axes, "not measured")
    _legend(figure, with_paper=paper is not None)
    return figure


def _panel(
    axes: Axes,
    here: dict[str, Measured],
    there: dict[str, Measured],
    shown: list[str],
    metric: str,
) -> None:
    scale = 100 if is_share(metric) else 1
    colours = system_colours(shown)
    places = {name: i + 0.3 * (name not in LADDER) for i, name in enumerate(shown)}
    ladder = [name for name in shown if name in LADDER]
    axes.plot(
        [places[name] for name in ladder],
        [scale * here[name].value for name in ladder],
        color=MUTED,
        lw=1.2,
        zorder=1,
        label="_ladder",
    )
    for name, place in places.items():
        _marker(axes, place, here[name].scaled(scale), colours[name], hollow=False)
        if name in there:
            _marker(axes, place + _BESIDE, there[name].scaled(scale), colours[name], hollow=True)
    if CHANCE in here:
        _chance(axes, scale * here[CHANCE].value)
    values = [value_text(metric, here[name].value) for name in places]
    names = [short_name(name) for name in places]
    labels = [f"{name}\n{value}" for name, value in zip(names, values, strict=True)]
    axes.set_xticks(list(places.values()), labels, fontsize=8, linespacing=1.5)
    axes.set_xlim(-0.5, max(places.values()) + 0.6)
    if metric.startswith("recall@"):
        axes.set_ylim(bottom=0)


def _marker(axes: Axes, place: float, measured: Measured, colour: str, *, hollow: bool) -> None:
    value, low, high = measured
    axes.errorbar(
        [place],
        [value],
        yerr=None if math.isnan(low) else [[value - low], [high - value]],
        color=colour,
        marker="D" if hollow else "o",
        ms=5 if hollow else 7,
        mfc="white" if hollow else colour,
        mew=1.2,
        elinewidth=0.9 if hollow else 1.4,
        capsize=2 if hollow else 3,
        zorder=3,
    )


def _chance(axes: Axes, level: float) -> None:
    axes.axhline(level, color=INK, lw=0.9, ls=(0, (4, 3)), zorder=0, label="_chance")


def _title(axes: Axes, protocol: str, metric: str) -> None:
    name = figure_name(protocol, metric)
    axes.set_title(f"{name} (%)" if is_share(metric) else name, fontsize=10)


def _legend(figure: Figure, *, with_paper: bool) -> None:
    handles = [Line2D([], [], ls="", marker="o", ms=7, color=INK, label="here")]
    if with_paper:
        handles.append(
            Line2D([], [], ls="", marker="D", ms=5, mfc="white", mec=INK, mew=1.2, label="paper")
        )
    handles.append(Line2D([], [], color=INK, lw=0.9, ls=(0, (4, 3)), label="chance here"))
    figure.legend(handles=handles, loc="outside lower center", ncols=3, fontsize=9)
