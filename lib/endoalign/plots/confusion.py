"""Confusion matrix: what pictures of each class were called."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from endoalign.plots.style import FULL_WIDTH, INK

DARK = 0.55
"""Share of a row from which on a field is dark and its number white."""


def confusion(matrix: NDArray[np.integer], classes: Sequence[str]) -> Figure:
    """Draw counts on a shade that is the share of the row.

    Args:
        matrix: (c, c) counts, truth in rows.
        classes: c names.

    Raises:
        ValueError: the matrix is not (c, c), or a count is below 0.
    """
    c = len(classes)
    if matrix.shape != (c, c) or c == 0:
        raise ValueError(f"a confusion matrix of {c} classes is ({c}, {c}), not {matrix.shape}")
    if (matrix < 0).any():
        raise ValueError("a confusion matrix holds counts, 0 or more")
    shares = matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1)
    side = min(FULL_WIDTH, 2.2 + 0.75 * c)
    figure, axes = plt.subplots(figsize=(side, 0.85 * side), layout="constrained")
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for row in range(c):
        for column in range(c):
            if matrix[row, column]:
                colour = "white" if shares[row, column] > DARK else INK
                text = str(int(matrix[row, column]))
                axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=9)
    axes.set_xticks(range(c), classes, rotation=40, ha="right")
    axes.set_yticks(range(c), classes)
    axes.set_title("pictures; shade: share of the row", fontsize=9, fontweight="normal")
    axes.set_xlabel("called")
    axes.set_ylabel("is")
    return figure
