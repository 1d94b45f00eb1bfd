"""Training curves: the loss of one or several runs, with learning rate and logit scale beside."""

import math
from collections.abc import Mapping
from typing import Final, Literal

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.typing import HashableList

from endoalign.plots.columns import require_columns, say_nothing_to_show
from endoalign.plots.style import FULL_WIDTH, INK
from endoalign.plots.systems import system_colours

_BESIDE: Final = {
    "learning_rate": "learning rate",
    "logit_scale": "logit scale",
    "repeated_share": "repeated texts (%)",
}
_WINDOWS: Final = 25
"""The smooth line averages over this fraction of a run: one window of 25."""


def training_curve(
    runs: Mapping[str, pd.DataFrame],
    *,
    x: Literal["step", "epoch"] = "step",
    batch_size: int | None = None,
) -> Figure:
    """Draw the loss, smooth over faint, and what else changes in the histories in panels beside it.

    Args:
        runs: name -> history with the columns ``step``, ``epoch``, ``loss`` and any of
            ``learning_rate``, ``logit_scale``, ``repeated_share`` (0 to 1). NaN leaves a gap.
        x: the axis; rows of equal ``x`` are averaged, so ``epoch`` gives means of epochs.
        batch_size: pairs a batch; draws the loss of chance, ``ln(batch_size)``.

    Raises:
        ValueError: no runs, a history without ``x`` or ``loss``, or a batch below 1.
    """
    if not runs:
        raise ValueError("a training curve needs at least one run")
    if batch_size is not None and batch_size < 1:
        raise ValueError(f"batch_size must be at least 1, got {batch_size}")
    for name, history in runs.items():
        require_columns(history, (x, "loss"), what=f"history of {name!r}")
    beside = [c for c in _BESIDE if any(_changes(history, c) for history in runs.values())]
    mosaic: list[HashableList[str]] = [["loss", "loss", c] for c in beside] or [["loss"]]
    height = max(3.2, 1.35 * len(beside) + 0.5)
    figure, panels = plt.subplot_mosaic(
        mosaic, figsize=(FULL_WIDTH, height), layout="constrained", sharex=True
    )
    colours = system_colours(runs)
    for name, history in runs.items():
        means = history.groupby(x).mean(numeric_only=True)
        _loss_line(panels["loss"], means["loss"], name, colours[name])
        for column in beside:
            if column in means.columns:
                scale = 100 if column == "repeated_share" else 1
                values = smoothed(means[column]) if column == "repeated_share" else means[column]
                panels[column].plot(means.index, scale * values, color=colours[name], lw=1.3)
    _dress(panels, beside, x, batch_size)
    if all(history["loss"].isna().all() for history in runs.values()):
        say_nothing_to_show(panels["loss"], "no step was recorded")
    elif len(runs) > 1:
        handles = [line for line in panels["loss"].lines if line.get_label() in runs]
        columns = min(len(handles), 5)
        figure.legend(handles=handles, loc="outside lower center", ncols=columns, fontsize=9)
    return figure


def _changes(history: pd.DataFrame, column: str) -> bool:
    return column in history.columns and bool(history[column].max() > history[column].min())


def smoothed(values: pd.Series) -> pd.Series:
    """Centred moving mean over a twenty-fifth of the run; NaN stays NaN."""
    window = max(1, len(values) // _WINDOWS)
    return values.rolling(window, center=True, min_periods=1).mean().where(values.notna())


def _loss_line(axes: Axes, loss: pd.Series, name: str, colour: str) -> None:
    smooth = smoothed(loss)
    if not smooth.equals(loss):
        axes.plot(loss.index, loss, color=colour, alpha=0.25, lw=0.8, label="_raw")
    marker = "o" if len(loss) <= _WINDOWS else ""
    axes.plot(smooth.index, smooth, color=colour, lw=1.8, marker=marker, ms=3.5, label=name)


def _dress(panels: dict[str, Axes], beside: list[str], x: str, batch_size: int | None) -> None:
    loss = panels["loss"]
    loss.set_title("loss")
    loss.set_xlabel(x)
    if batch_size is not None:
        chance = math.log(batch_size)
        loss.axhline(chance, color=INK, lw=0.9, ls=(0, (4, 3)), label="_chance")
        loss.annotate(
            f"chance, ln {batch_size} = {chance:.2f}",
            xy=(1, chance),
            xycoords=("axes fraction", "data"),
            xytext=(0, 3),
            textcoords="offset points",
            ha="right",
            fontsize=8,
        )
    for column in beside:
        panels[column].set_title(_BESIDE[column], fontsize=9, fontweight="normal")
        panels[column].tick_params(labelsize=8, labelbottom=column == beside[-1])
    if beside:
        panels[beside[-1]].set_xlabel(x)
    if "learning_rate" in beside:
        panels["learning_rate"].ticklabel_format(axis="y", style="sci", scilimits=(-2, 3))
        panels["learning_rate"].yaxis.get_offset_text().set_fontsize(7.5)
