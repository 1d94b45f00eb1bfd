"""Frames chosen for sentences: each sentence's best frames in order, right and wrong marked."""

import textwrap
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from endoalign.plots.style import FULL_WIDTH, INK, MUTED

RIGHT: Final = "#2e8b6f"
WRONG: Final = "#b5493a"

_TEXT_WIDTH: Final = 2.3  # inches
_GAP: Final = 0.1  # inches between frames
_CAPTION: Final = 0.27  # inches under a frame
_LINE: Final = 0.185  # inches a line of a sentence
_CHARACTERS: Final = 30  # a line of a sentence
_LEGEND: Final = 0.22  # inches
_FEWEST_COLUMNS: Final = 4


class ShownFrame(NamedTuple):
    """A frame of a row; ``right`` is ``None`` where the truth is not known."""

    pixels: NDArray[np.uint8]
    """(H, W, 3)."""
    score: float
    right: bool | None
    chosen: bool


def chosen_frames(
    rows: Sequence[tuple[str, Sequence[tuple[Any, float, bool | None, bool]]]],
) -> Figure:
    """Draw a row a sentence: the sentence, then its frames from the highest score to the lowest.

    A frame that shows the lesion has a green border and a tick, another a red border and a cross;
    one whose truth is not known has a grey border. The chosen one says so under it.

    Args:
        rows: (sentence, its frames), each frame a `ShownFrame` or a plain tuple of the same four.
            Frames of equal score keep their order; those without a score (NaN) come last.

    Raises:
        ValueError: no rows, or a frame that is not RGB (names its sentence).
    """
    if not rows:
        raise ValueError("a sheet of chosen frames needs at least one sentence")
    sheet = [(sentence, _ranked(sentence, frames)) for sentence, frames in rows]
    columns = max(_FEWEST_COLUMNS, *(len(frames) for _, frames in sheet))
    side = (FULL_WIDTH - _TEXT_WIDTH) / columns - _GAP
    texts = [textwrap.fill(sentence, _CHARACTERS) for sentence, _ in sheet]
    heights = [
        max(side * _tallest(frames) + _CAPTION, _LINE * (text.count("\n") + 1)) + _GAP
        for text, (_, frames) in zip(texts, sheet, strict=True)
    ]
    total = sum(heights) + _LEGEND
    figure = plt.figure(figsize=(FULL_WIDTH, total), layout="none")
    top = total
    for text, (_, frames), height in zip(texts, sheet, heights, strict=True):
        figure.text(0.0, top / total, text, va="top", fontsize=9, linespacing=1.25)
        for place, frame in enumerate(frames):
            left = _TEXT_WIDTH + place * (side + _GAP)
            tall = side * frame.pixels.shape[0] / frame.pixels.shape[1]
            box = (left / FULL_WIDTH, (top - tall) / total, side / FULL_WIDTH, tall / total)
            _draw(figure.add_axes(box), frame)
        top -= height
    _legend(figure, {frame.right for _, frames in sheet for frame in frames})
    return figure


def _ranked(
    sentence: str, frames: Sequence[tuple[Any, float, bool | None, bool]]
) -> list[ShownFrame]:
    shown = [ShownFrame(*frame) for frame in frames]
    for frame in shown:
        shape = np.shape(frame.pixels)
        if len(shape) != 3 or shape[2] != 3:
            raise ValueError(f"a frame of {sentence!r} has shape {shape}, not (H, W, 3)")
    return sorted(shown, key=lambda f: -np.inf if np.isnan(f.score) else f.score, reverse=True)


def _tallest(frames: Sequence[ShownFrame]) -> float:
    return max((f.pixels.shape[0] / f.pixels.shape[1] for f in frames), default=0.0)


def _draw(axes: Axes, frame: ShownFrame) -> None:
    symbol, colour = _verdict(frame.right)
    axes.imshow(frame.pixels, interpolation="lanczos", aspect="auto")
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(True)
        spine.set_edgecolor(colour)
        spine.set_linewidth(3.2 if frame.chosen else 1.6)
    if symbol:
        badge = {
            "boxstyle": "circle,pad=0.22",
            "facecolor": colour,
            "edgecolor": "white",
            "lw": 0.8,
        }
        axes.annotate(
            symbol,
            xy=(1, 1),
            xycoords="axes fraction",
            xytext=(-9, -9),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=8,
            color="white",
            bbox=badge,
        )
    score = "no score" if np.isnan(frame.score) else f"{frame.score:.2f}"
    axes.annotate(
        f"{score}  chosen" if frame.chosen else score,
        xy=(0.5, 0),
        xycoords="axes fraction",
        xytext=(0, -4),
        textcoords="offset points",
        ha="center",
        va="top",
        fontsize=8,
        color=INK,
        fontweight="bold" if frame.chosen else "normal",
    )


def _verdict(right: bool | None) -> tuple[str, str]:
    if right is None:
        return "", MUTED
    return ("✓", RIGHT) if right else ("✗", WRONG)


def _legend(figure: Figure, verdicts: set[bool | None]) -> None:
    known = ((True, "✓ shows the lesion"), (False, "✗ does not show it"), (None, "not known"))
    shown = [(text, _verdict(right)[1]) for right, text in known if right in verdicts]
    for place, (text, colour) in enumerate(shown):
        left = (_TEXT_WIDTH + 1.55 * place) / FULL_WIDTH
        figure.text(left, 0.0, text, va="bottom", fontsize=8.5, color=colour, fontweight="bold")
