"""Windows on a real frame: parts of it that hold its polyp, or that hold none of it.

A window has the shape of the content area's box and ``share`` of its side. The polyp's surroundings
are real mucosa of the same bowel, so that a window beside the polyp is one more real frame without
one. Polyp frames are shown through windows too: else a cut frame would give away that it is normal.
The scale still tells something, since what lies beside a polyp is seldom as large as what holds it.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from endoalign.frames.box import Box, box_of_mask
from endoalign.half_real.picture import Mask, Picture

CELLS: Final = 64
"""Windows start and end on a grid of about so many cells on the shorter side."""
COVERAGE: Final = 0.95
"""Share of a window that must lie in the content area."""
CHOICE: Final = 3
"""A window has one of the first so many shares that fit."""
STEP: Final = 0.05
"""Shares that are tried lie so far apart."""


@dataclass(frozen=True)
class Grid:
    """A picture as cells of ``stride`` pixels from ``left``, ``top``, each (rows, columns).

    ``polyp`` is true on cells that hold the polyp and those beside them, since masks are drawn by
    hand; ``content`` is the share of the cell inside the content area.
    """

    stride: int
    left: int
    top: int
    polyp: Mask
    content: NDArray[np.float64]


def grid_of(picture: Picture) -> Grid:
    """Cells of the box around the content area."""
    box = box_of_mask(picture.content)
    assert box is not None, "a content area is never empty"
    stride = max(1, min(box.right - box.left, box.bottom - box.top) // CELLS)
    polyp = _cells(box.crop(picture.polyp), stride) > 0
    return Grid(
        stride=stride,
        left=box.left,
        top=box.top,
        polyp=ndimage.binary_dilation(polyp, np.ones((3, 3))) if polyp.any() else polyp,
        content=_cells(box.crop(picture.content), stride),
    )


def pick_window(
    grid: Grid,
    shares: tuple[float, float],
    rng: np.random.Generator,
    *,
    with_polyp: bool,
    taken: Collection[Box] = (),
) -> Box | None:
    """Draw a window of one of three shares that fit; ``None`` where there is none.

    Around a polyp these are the smallest that fit, beside one the largest, so that the scale of a
    window tells as little as possible of what it holds; on a frame without polyps any.

    Args:
        shares: smallest and largest share of the content's side.
        with_polyp: the window holds the whole polyp; else none of it.
        taken: windows not to be drawn again.
    """
    found = []
    for share in _shares(grid, shares, rng, with_polyp):
        boxes = [box for box in windows(grid, share, with_polyp) if box not in taken]
        if boxes:
            found.append(boxes[rng.integers(len(boxes))])
        if len(found) == CHOICE:
            break
    return found[rng.integers(len(found))] if found else None


def _shares(
    grid: Grid, shares: tuple[float, float], rng: np.random.Generator, with_polyp: bool
) -> list[float]:
    """Shares in the order in which they are tried: see `pick_window`."""
    low, high = shares
    ascending = np.arange(low, high + STEP / 2, STEP)
    if not grid.polyp.any():
        return list(map(float, rng.permutation(ascending)))
    return list(map(float, ascending if with_polyp else ascending[::-1]))


def windows(grid: Grid, share: float, with_polyp: bool) -> list[Box]:
    """Every window of ``share`` that holds the whole polyp, or none of it, in reading order."""
    height, width = (max(1, round(share * side)) for side in grid.polyp.shape)
    polyp = _sums(grid.polyp, height, width)
    fits = polyp == grid.polyp.sum() if with_polyp else polyp == 0
    fits &= _sums(grid.content, height, width) >= COVERAGE * height * width
    return [
        Box(
            grid.left + int(column) * grid.stride,
            grid.top + int(row) * grid.stride,
            grid.left + int(column + width) * grid.stride,
            grid.top + int(row + height) * grid.stride,
        )
        for row, column in np.argwhere(fits)
    ]


def _cells(plane: Mask, stride: int) -> NDArray[np.float64]:
    """Mean of each whole cell of a plane (h, w); what is left at the edges belongs to no cell."""
    rows, columns = (side // stride for side in plane.shape)
    whole = plane[: rows * stride, : columns * stride]
    return np.asarray(whole.reshape(rows, stride, columns, stride).mean(axis=(1, 3)))


def _sums(plane: NDArray[np.generic], height: int, width: int) -> NDArray[np.float64]:
    """Sum of each ``height`` x ``width`` window of a plane, by a summed-area table.

    Rounded to 1e-6, so that a sum over nothing is 0.
    """
    table = np.pad(plane.astype(np.float64).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    sums = (
        table[height:, width:]
        - table[:-height, width:]
        - table[height:, :-width]
        + table[:-height, :-width]
    )
    return np.asarray(np.round(sums, 6))
