"""The convex hull of a mask, filled row by row."""

import numpy as np
from numpy.typing import NDArray


def fill_convex(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the filled convex hull of the true pixels' centres; shape (h, w) in and out.

    A hull is bounded on the left by a convex and on the right by a concave function of the row,
    so two envelopes over the outermost pixels of each row give it whole.
    """
    rows = np.flatnonzero(mask.any(axis=1))
    filled = np.zeros_like(mask)
    if not rows.size:
        return filled
    columns = np.arange(mask.shape[1])
    first = mask[rows].argmax(axis=1)
    last = mask.shape[1] - 1 - mask[rows, ::-1].argmax(axis=1)
    span = np.arange(rows[0], rows[-1] + 1)
    left = _lower_envelope(rows, first, span)
    right = -_lower_envelope(rows, -last, span)
    # Half a thousandth of a pixel keeps centres that lie on the hull's edge inside it.
    filled[span] = (columns >= left[:, None] - 5e-4) & (columns <= right[:, None] + 5e-4)
    return filled


def _lower_envelope(
    x: NDArray[np.intp], y: NDArray[np.intp], at: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the largest convex function below the points (x, y), x rising, evaluated at ``at``.

    A point where the slope does not rise lies on or above the line between its neighbours, so it
    is no corner of the envelope; all such points go at once, until none is left.
    """
    while True:
        slopes = np.diff(y) / np.diff(x)
        corner = np.ones(len(x), dtype=np.bool_)
        corner[1:-1] = slopes[1:] > slopes[:-1]
        if corner.all():
            return np.interp(at, x, y)
        x, y = x[corner], y[corner]
