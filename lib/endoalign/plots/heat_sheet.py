"""Pictures with maps of relevance laid over them, one row a kind of map."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from endoalign.plots.style import FULL_WIDTH

STRENGTH = 0.55
"""How opaque the strongest relevance is."""


def heat_sheet(
    pictures: Sequence[NDArray[np.uint8]],
    maps: Mapping[str, NDArray[np.floating]],
    captions: Sequence[str],
) -> Figure:
    """Draw the pictures above, and below them again under each kind of map.

    Args:
        pictures: n of (h, w, 3).
        maps: name -> (n, h, w) from 0 to 1.
        captions: n lines.

    Raises:
        ValueError: no pictures, or captions or maps of another number or shape.
    """
    n = len(pictures)
    if n == 0 or len(captions) != n:
        raise ValueError(f"{n} pictures and {len(captions)} captions: as many, at least one")
    for name, values in maps.items():
        if values.shape != (n, *pictures[0].shape[:2]):
            raise ValueError(f"{name}: maps {values.shape} for {n} of {pictures[0].shape[:2]}")
    rows = ["", *maps]
    side = FULL_WIDTH / n
    figure, grid = plt.subplots(
        len(rows), n, figsize=(FULL_WIDTH, len(rows) * (side + 0.1) + 0.2), squeeze=False
    )
    for row, name in enumerate(rows):
        for column, picture in enumerate(pictures):
            axes = grid[row, column]
            axes.imshow(picture)
            if name:
                heat = maps[name][column]
                axes.imshow(heat, cmap="inferno", alpha=STRENGTH * np.clip(heat, 0, 1))
            axes.set_xticks([])
            axes.set_yticks([])
            axes.spines[:].set_visible(False)
        grid[row, 0].set_ylabel(name, fontsize=8)
    for axes, caption in zip(grid[0], captions, strict=True):
        axes.set_title(caption, fontsize=7.5, fontweight="normal")
    return figure
