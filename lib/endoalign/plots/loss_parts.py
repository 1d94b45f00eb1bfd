"""The parts of a loss, one panel each, of one or several trainings."""

from collections.abc import Mapping
from typing import Final

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from endoalign.plots.columns import require_columns, say_nothing_to_show
from endoalign.plots.style import FULL_WIDTH
from endoalign.plots.systems import system_colours
from endoalign.plots.training_curve import smoothed

PARTS: Final = {
    "global_loss": "global alignment (eq. 2)",
    "fine_grained_loss": "fine-grained alignment (eq. 5)",
    "mae_loss": "reconstruction",
}
"""Columns of a history of EndoVLM, and the panels' titles."""
_STYLES: Final = ("-", (0, (5, 3)), (0, (2, 2)), (0, (1, 3)))
"""Each line shows through the gaps of those that are drawn over it."""


def loss_parts(runs: Mapping[str, pd.DataFrame], parts: Mapping[str, str] = PARTS) -> Figure:
    """Draw a panel a part, a line a run, smooth over faint; lines that coincide stay visible.

    A part that is 0 throughout a run was left out of its loss and is not drawn.

    Args:
        runs: name -> history with ``step`` and the columns of ``parts``.
        parts: column -> title of its panel.

    Raises:
        ValueError: no runs, or a history lacks a column.
    """
    if not runs:
        raise ValueError("a training curve needs at least one run")
    for name, history in runs.items():
        require_columns(history, ("step", *parts), what=f"history of {name!r}")
    figure, grid = plt.subplots(
        1, len(parts), figsize=(FULL_WIDTH, 3.0), squeeze=False, layout="constrained"
    )
    colours = system_colours(runs)
    order = {name: place for place, name in enumerate(runs)}
    drawn: dict[str, Line2D] = {}
    for axes, (column, title) in zip(grid.flat, parts.items(), strict=True):
        for name, history in runs.items():
            if (history[column] == 0).all():
                continue
            axes.plot(history["step"], history[column], color=colours[name], alpha=0.2, lw=0.7)
            smooth = smoothed(history[column])
            style = {"color": colours[name], "ls": _STYLES[order[name] % len(_STYLES)]}
            (line,) = axes.plot(history["step"], smooth, lw=1.6, **style)
            drawn.setdefault(name, line)
        if not axes.lines:
            say_nothing_to_show(axes, "in no training")
        axes.set_title(title, fontsize=9.5)
        axes.set_xlabel("step")
    labels = list(drawn)
    figure.legend(list(drawn.values()), labels, loc="outside lower center", ncols=4, fontsize=9)
    return figure
