"""Relevance of every frame of an examination to each of its sentences, and the frames they find.

EndoVLM, Fig. 3: sentences by frames as a map, lettered, with the best frame of each beneath.
"""

from collections.abc import Sequence
from string import ascii_lowercase
from typing import Final, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from endoalign.plots.chosen_frames import RIGHT, WRONG
from endoalign.plots.style import FULL_WIDTH, INK, MUTED

_ROW: Final = 0.21  # inches a sentence
_AROUND: Final = 0.75  # inches of title and axis


class Attended(NamedTuple):
    """One examination; ``right`` and ``shown`` are None where the truth is not known."""

    title: str
    labels: Sequence[str]
    """R names, such as the region of each sentence."""
    relevance: NDArray[np.floating]
    """(R, N) cosines of sentences and frames."""
    found: Sequence[NDArray[np.uint8]]
    """R pictures (H, W, 3), the best frame of each sentence."""
    right: Sequence[bool | None] | None = None
    """Whether that frame shows what the sentence is about; None where no frame does."""
    shown: NDArray[np.bool_] | None = None
    """(R, N), which frames do; marked in the map by a dot."""


def attention_map(examinations: Sequence[Attended]) -> Figure:
    """Draw each examination: the map above, the found frames beneath, right and wrong marked.

    The best frame of a sentence is framed in the map, green where it is right, red where not, and
    grey where there is nothing to be right or nothing is known.

    Raises:
        ValueError: no examination, or one whose parts do not fit one another (names it).
    """
    if not examinations:
        raise ValueError("an attention map needs at least one examination")
    for one in examinations:
        _check(one)
    heights = [_AROUND + _ROW * len(one.labels) + _side(one) + 0.35 for one in examinations]
    figure = plt.figure(figsize=(FULL_WIDTH, sum(heights)), layout="constrained")
    parts = figure.subfigures(len(examinations), 1, height_ratios=heights, squeeze=False)
    for part, one, height in zip(parts.flat, examinations, heights, strict=True):
        _draw(part, one, height)
    return figure


def _draw(part: SubFigure, one: Attended, height: float) -> None:
    count = len(one.labels)
    beneath = _side(one) + 0.3
    grid = part.add_gridspec(2, count, height_ratios=[height - beneath, beneath])
    axes = part.add_subplot(grid[0, :])
    drawn = axes.imshow(one.relevance, aspect="auto", cmap="magma", interpolation="nearest")
    letters = ascii_lowercase[:count]
    names = [f"{letter}  {label}" for letter, label in zip(letters, one.labels, strict=True)]
    axes.set_yticks(range(count), names, fontsize=8)
    axes.set_xlabel("frame of the examination", fontsize=8)
    axes.set_title(one.title)
    part.colorbar(drawn, ax=axes, label="cosine", pad=0.01, aspect=15)
    best = one.relevance.argmax(axis=1)
    if one.shown is not None:
        rows, columns = np.nonzero(one.shown)
        axes.scatter(columns, rows, s=9, facecolor="white", edgecolor=INK, linewidths=0.6)
    for row, column in enumerate(best):
        box = Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, lw=1.6)
        box.set_edgecolor(_colour(one, row))
        axes.add_patch(box)
    for row, picture in enumerate(one.found):
        _frame(part.add_subplot(grid[1, row]), picture, letters[row], _colour(one, row))


def _frame(axes: Axes, picture: NDArray[np.uint8], letter: str, colour: str) -> None:
    axes.imshow(picture, interpolation="lanczos")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_xlabel(letter, fontsize=9, color=INK, labelpad=2)
    for spine in axes.spines.values():
        spine.set_visible(True)
        spine.set_edgecolor(colour)
        spine.set_linewidth(2.0)


def _colour(one: Attended, row: int) -> str:
    verdict = None if one.right is None else one.right[row]
    return MUTED if verdict is None else RIGHT if verdict else WRONG


def _side(one: Attended) -> float:
    """Height of the pictures beneath the map, inches."""
    tallest = max(picture.shape[0] / picture.shape[1] for picture in one.found)
    return float(tallest) * 0.9 * FULL_WIDTH / len(one.labels)


def _check(one: Attended) -> None:
    count = len(one.labels)
    shape = one.relevance.shape
    if not 1 <= count <= len(ascii_lowercase) or shape[:1] != (count,) or len(shape) != 2:
        raise ValueError(
            f"{one.title!r}: relevance {shape} must be (sentences, frames), with a name for each "
            f"of 1 to {len(ascii_lowercase)} sentences, not {count} names"
        )
    if len(one.found) != count or (one.right is not None and len(one.right) != count):
        raise ValueError(f"{one.title!r}: one frame and one verdict for each of {count} sentences")
    if one.shown is not None and one.shown.shape != shape:
        raise ValueError(f"{one.title!r}: shown {one.shown.shape} must be as relevance, {shape}")
