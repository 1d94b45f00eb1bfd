"""Flow of the recovery: from cases to pairs, stage by stage, with the paper's counts beside."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from endoalign.plots.boxes import arrow, rounded_box
from endoalign.plots.style import FULL_WIDTH, INK, MUTED
from endoalign.plots.systems import system_colours

_LANE: Final = 1.25  # inches a stage
_BOX_HEIGHT: Final = 0.78
_TITLE_WIDTH: Final = 1.5
_PILL_WIDTH: Final = 1.15
_ARROW: Final = 0.42
_CHARACTERS: Final = 15  # of a label, an inch of its box


@dataclass(frozen=True)
class FlowStep:
    """A box: what is counted, how many here, and how many in the paper (as printed)."""

    label: str
    count: int
    paper: str = ""
    share: bool = False
    """Write the share of the step before on the arrow."""
    adds: bool = False
    """Stands beside the step before, with a plus between them instead of an arrow."""


@dataclass(frozen=True)
class FlowStage:
    """A lane: boxes from left to right, and the checkpoint trained on the last one."""

    title: str
    steps: tuple[FlowStep, ...]
    trains: str


def pair_flow(stages: Sequence[FlowStage]) -> Figure:
    """Draw a lane a stage: boxes with counts, arrows, the checkpoint that comes out.

    A checkpoint points at the second box of the next lane (the first where there is one only),
    which is selected by its scores.

    Raises:
        ValueError: no stages, a stage without steps, or a count below 0.
    """
    if not stages:
        raise ValueError("a flow needs at least one stage")
    for stage in stages:
        if not stage.steps:
            raise ValueError(f"stage {stage.title!r} has no steps")
        if wrong := [step for step in stage.steps if step.count < 0]:
            raise ValueError(f"{wrong[0].label!r} has the count {wrong[0].count}, below 0")
    height = _LANE * len(stages)
    figure = plt.figure(figsize=(FULL_WIDTH, height), layout="none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, FULL_WIDTH)
    axes.set_ylim(0, height)
    axes.set_axis_off()
    most = max(len(stage.steps) for stage in stages)
    room = FULL_WIDTH - _TITLE_WIDTH - _PILL_WIDTH - 0.05
    width = room / most - _ARROW
    colours = system_colours(stage.trains for stage in stages)
    for place, stage in enumerate(stages):
        middle = height - _LANE * (place + 0.5)
        _lane(axes, stage, middle, width, colours[stage.trains])
        if place > 0:
            selected = min(1, len(stage.steps) - 1)
            _scores(axes, middle, _TITLE_WIDTH + selected * (width + _ARROW) + width / 2)
    return figure


def _lane(axes: Axes, stage: FlowStage, middle: float, width: float, colour: str) -> None:
    axes.text(0.02, middle, stage.title, va="center", fontsize=9.5, fontweight="bold")
    left = _TITLE_WIDTH
    before: int | None = None
    for step in stage.steps:
        _box(axes, step, left, middle, width, colour)
        if before is not None:
            _between(axes, step, before, left, middle)
        before = step.count
        left += width + _ARROW
    pill = FULL_WIDTH - _PILL_WIDTH - 0.05
    arrow(axes, (left - _ARROW, middle), (pill, middle))
    rounded_box(axes, pill, middle, _PILL_WIDTH, 0.42, edge=colour, rounding=0.2)
    axes.text(
        pill + _PILL_WIDTH / 2,
        middle,
        stage.trains,
        ha="center",
        va="center",
        fontsize=9,
        fontweight="bold",
    )


def _box(axes: Axes, step: FlowStep, left: float, middle: float, width: float, colour: str) -> None:
    rounded_box(axes, left, middle, width, _BOX_HEIGHT, edge=colour, rounding=0.06)
    centre = left + width / 2
    label = textwrap.fill(step.label, int(_CHARACTERS * width))
    lines = [(0.22, label, 7.5, INK, "normal"), (-0.04, f"{step.count:,}", 11, INK, "bold")]
    if step.paper:
        lines.append((-0.27, f"paper {step.paper}", 7.5, "#6b7f8c", "normal"))
    for up, text, size, ink, weight in lines:
        axes.text(
            centre,
            middle + up,
            text,
            ha="center",
            va="center",
            fontsize=size,
            color=ink,
            fontweight=weight,
        )


def _between(axes: Axes, step: FlowStep, before: int, left: float, middle: float) -> None:
    if step.adds:
        axes.text(left - _ARROW / 2, middle, "+", ha="center", va="center", fontsize=12)
        return
    arrow(axes, (left - _ARROW, middle), (left, middle))
    if step.share and before:
        share = f"{step.count / before:.0%}".replace("%", " %")
        axes.text(left - _ARROW / 2, middle + 0.1, share, ha="center", fontsize=7.5)


def _scores(axes: Axes, middle: float, target: float) -> None:
    """From the checkpoint of the lane above, round the corner, to what its scores select."""
    pill = FULL_WIDTH - 0.05 - _PILL_WIDTH / 2
    corner = middle + _LANE / 2
    axes.plot(
        [pill, pill, target], [middle + _LANE - 0.23, corner, corner], color=MUTED, lw=1.2, zorder=0
    )
    arrow(axes, (target, corner), (target, middle + _BOX_HEIGHT / 2), gap=0)
    axes.text(pill - 0.08, corner + 0.04, "scores", ha="right", va="bottom", fontsize=7.5)
