"""Recall@1 of each multi-lesion case for two systems (EndoCLIP, Fig. 3d)."""

from collections.abc import Mapping
from typing import Any, Final

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from endoalign.plots.columns import require_columns, say_nothing_to_show
from endoalign.plots.style import ACCENT, FULL_WIDTH, INK, MUTED
from endoalign.plots.systems import system_colours

_PAIR: Final = 2
_GAP: Final = 2.0
"""Empty places between groups of cases, in cases."""
_NARROWEST: Final = 4
"""Places of a group with fewer cases, so that its text has room."""
_HEADS: Final = (139, 130)
_MEANS: Final = (119, 110)
"""Heights of the rows of text above the groups, on the axis of Recall@1."""


def case_recall(tables: Mapping[str, pd.DataFrame], *, column: str = "mean") -> Figure:
    """Draw a case a place: both systems' Recall@1 joined by a line.

    Cases stand in groups of equally many lesions, in a group by the second system and then by the
    first. A line is dark where the second system is the better one, red where it is the worse.
    Each group shows the level of chance, 1 / lesions, and each system's mean above it,
    in its colour.

    Args:
        tables: exactly two, name -> a row a case: ``case_id``, ``lesions`` (their number) and
            ``column``, Recall@1 in 0 to 1. A case that is undefined (NaN) in either is left out.

    Raises:
        ValueError: not two tables, a column is missing, a case is there twice, or the tables
            are not of the same cases.
    """
    both = _joined(tables, column)
    first, second = tables
    figure, axes = plt.subplots(figsize=(FULL_WIDTH, 3.6), layout="constrained")
    if both.empty:
        say_nothing_to_show(axes, "no case with several lesions")
        return figure
    colours = system_colours(tables)
    start = 0.0
    for lesions, group in both.groupby("lesions"):
        ordered = group.sort_values(["second", "first", "case_id"])
        width = max(len(ordered), _NARROWEST)
        places = start + (width - len(ordered)) / 2 + np.arange(len(ordered))
        _dumbbells(axes, places, ordered, (colours[first], colours[second]))
        _group_text(axes, places, ordered, int(str(lesions)), (colours[first], colours[second]))
        start += width + _GAP
    axes.set_xlim(-1.5, start - _GAP + 0.5)
    for text, height in zip(("lesions", "cases", "mean"), (*_HEADS, _MEANS[0]), strict=True):
        axes.text(-2.2, height, text, ha="right", va="center", fontsize=8)
    axes.set_ylim(-5, 143)
    axes.set_yticks([0, 25, 50, 75, 100])
    axes.spines["left"].set_bounds(0, 100)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    axes.set_ylabel("intra-case Recall@1 (%)", y=0.42)
    axes.set_xlabel("one column per case")
    _legend(figure, (first, second), (colours[first], colours[second]))
    return figure


def _joined(tables: Mapping[str, pd.DataFrame], column: str) -> pd.DataFrame:
    """One row a case: case_id, lesions, first, second (Recall@1 of the two systems)."""
    if len(tables) != _PAIR:
        raise ValueError(f"per-case recall compares two systems, got {list(tables)}")
    sides = []
    for side, (name, table) in zip(("first", "second"), tables.items(), strict=True):
        require_columns(table, ("case_id", "lesions", column), what=f"cases of {name!r}")
        if table["case_id"].duplicated().any():
            twice = table.loc[table["case_id"].duplicated(), "case_id"].iloc[0]
            raise ValueError(f"case {twice!r} of {name!r} is there twice")
        sides.append(table.set_index("case_id")[["lesions", column]].rename(columns={column: side}))
    if apart := sorted(set(sides[0].index) ^ set(sides[1].index)):
        raise ValueError(f"case {apart[0]!r} is in only one of {list(tables)}")
    joined = sides[0].join(sides[1]["second"]).dropna(subset=["first", "second"])
    return joined.reset_index()


def _dumbbells(
    axes: Axes, places: np.ndarray, group: pd.DataFrame, colours: tuple[str, str]
) -> None:
    first, second = (100 * group[c].to_numpy(dtype=float) for c in ("first", "second"))
    worse = second < first
    for chosen, colour in ((~worse, INK), (worse, ACCENT)):
        axes.vlines(
            places[chosen],
            first[chosen],
            second[chosen],
            color=colour,
            lw=1.0,
            alpha=0.55,
            zorder=1,
        )
    axes.scatter(places, first, s=26, facecolor="white", edgecolor=colours[0], lw=1.4, zorder=2)
    axes.scatter(places, second, s=15, color=colours[1], zorder=3)


def _group_text(
    axes: Axes, places: np.ndarray, group: pd.DataFrame, lesions: int, colours: tuple[str, str]
) -> None:
    edges = (places[0] - 0.7, places[-1] + 0.7)
    axes.hlines(100 / lesions, *edges, color=MUTED, lw=1.0, ls=(0, (3, 2)), zorder=0)
    middle = float(places.mean())
    centred: dict[str, Any] = {"ha": "center", "va": "center"}
    axes.text(middle, _HEADS[0], str(lesions), **centred, fontsize=9, fontweight="bold")
    axes.text(middle, _HEADS[1], str(len(group)), **centred, fontsize=8)
    for height, column, colour in zip(_MEANS, ("first", "second"), colours, strict=True):
        mean = 100 * group[column].mean()
        axes.text(middle, height, f"{mean:.0f}", **centred, fontsize=8, color=colour)


def _legend(figure: Figure, names: tuple[str, str], colours: tuple[str, str]) -> None:
    handles = [
        Line2D([], [], ls="", marker="o", mfc="white", mec=colours[0], mew=1.4, label=names[0]),
        Line2D([], [], ls="", marker="o", ms=4.5, color=colours[1], label=names[1]),
        Line2D([], [], color=INK, lw=1, alpha=0.55, label=f"{names[1]} better"),
        Line2D([], [], color=ACCENT, lw=1, alpha=0.55, label=f"{names[0]} better"),
        Line2D([], [], color=MUTED, lw=1, ls=(0, (3, 2)), label="chance"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=8.5)
