"""Histograms of frame scores by group, with the cut of retention and what lies above it."""

from collections.abc import Mapping
from typing import Any, Final

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from numpy.typing import NDArray

from endoalign.plots.columns import say_nothing_to_show
from endoalign.plots.metric_text import value_text
from endoalign.plots.style import FULL_WIDTH, INK, PALETTE

Scores = NDArray[np.floating[Any]]

_COLOURS: Final = (PALETTE[0], PALETTE[3], PALETTE[2], PALETTE[4])
_BINS: Final = 40
_MOST_A_ROW: Final = 3
_RIGHT_SIDE: Final = 0.65
"""A cut beyond this part of the axis leaves no room for text at its right."""


def score_histogram(
    stages: Mapping[str, Mapping[str, Scores]],
    *,
    cuts: Mapping[str, float] | None = None,
    xlabel: str = "score",
) -> Figure:
    """Draw one panel a stage, one histogram a group, each as shares of its own group.

    Args:
        stages: title of the panel -> name of the group -> (n,) scores; NaN is left out. Four
            groups at most; a group has one colour in all panels.
        cuts: title of the panel -> score of retention's cut; drawn as a line, with the share of
            each group that lies at or above it.

    Raises:
        ValueError: no stages, more than four groups, or a cut for an unknown stage.
    """
    if not stages:
        raise ValueError("score histograms need at least one stage")
    groups = list(dict.fromkeys(group for found in stages.values() for group in found))
    if len(groups) > len(_COLOURS):
        raise ValueError(f"at most {len(_COLOURS)} groups can be told apart, got {groups}")
    if unknown := sorted(set(cuts or {}) - set(stages)):
        raise ValueError(f"a cut for the unknown stage {unknown[0]!r}; stages are {list(stages)}")
    colours = dict(zip(groups, _COLOURS, strict=False))
    columns = min(len(stages), _MOST_A_ROW)
    rows = -(-len(stages) // columns)
    figure, grid = plt.subplots(
        rows, columns, figsize=(FULL_WIDTH, 2.9 * rows + 0.3), squeeze=False, layout="constrained"
    )
    for axes in grid.flat[len(stages) :]:
        axes.set_axis_off()
    for axes, (title, scores) in zip(grid.flat, stages.items(), strict=False):
        _panel(axes, scores, (cuts or {}).get(title), colours)
        axes.set_title(title)
        axes.set_xlabel(xlabel)
    for axes in grid[:, 0]:
        axes.set_ylabel("% of the group")
    handles = [Patch(color=colour, alpha=0.75, label=name) for name, colour in colours.items()]
    if handles:
        count = len(handles)
        figure.legend(handles=handles, loc="outside lower center", ncols=count, fontsize=9)
    return figure


def _panel(
    axes: Axes, scores: Mapping[str, Scores], cut: float | None, colours: Mapping[str, str]
) -> None:
    finite = {name: values[np.isfinite(values)] for name, values in scores.items()}
    pooled = np.concatenate([np.empty(0), *finite.values()])
    if pooled.size == 0:
        say_nothing_to_show(axes, "no scores")
        return
    bins = np.histogram_bin_edges(pooled, bins=_BINS)
    for name, values in finite.items():
        if values.size:
            weights = np.full(values.size, 100 / values.size)
            heights, _ = np.histogram(values, bins=bins, weights=weights)
            axes.stairs(heights, bins, fill=True, color=colours[name], alpha=0.35, label=name)
            axes.stairs(heights, bins, color=colours[name], lw=1.3)
    if cut is not None:
        _draw_cut(axes, cut, finite, colours)


def _draw_cut(
    axes: Axes, cut: float, scores: Mapping[str, Scores], colours: Mapping[str, str]
) -> None:
    """A line at the cut; above the histograms, on its kept side where that has room, the shares."""
    top = axes.get_ylim()[1]
    lines = [
        (f"{value_text('kept_share', float(np.mean(values >= cut)))} % above", colours[name])
        for name, values in scores.items()
        if values.size
    ]
    left, right = axes.get_xlim()
    axes.set_xlim(min(left, cut), max(right, cut))
    axes.set_ylim(0, top * (1.24 + 0.11 * len(lines)))
    axes.axvline(cut, color=INK, lw=1.1, ls=(0, (4, 2)))
    at_left = cut > left + _RIGHT_SIDE * (right - left)
    shown = [(f"cut {cut:.3g}", INK), *lines]
    for row, (text, colour) in enumerate(shown):
        axes.annotate(
            text,
            xy=(cut, 1),
            xycoords=("data", "axes fraction"),
            xytext=(-5 if at_left else 5, -3 - 11 * row),
            textcoords="offset points",
            ha="right" if at_left else "left",
            va="top",
            fontsize=8,
            color=colour,
            fontweight="bold" if row else "normal",
        )
