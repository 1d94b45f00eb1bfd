"""What a masked autoencoder makes of hidden patches: original, masked and reconstructed."""

from collections.abc import Sequence
from typing import Final

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from endoalign.plots.style import FULL_WIDTH, INK

Pictures = NDArray[np.uint8]

_ROWS: Final = ("original", "masked", "reconstructed")
_LARGEST: Final = 1.3  # inches
_MARGIN: Final = 1.0  # inches for the names of the rows


def reconstructions(
    original: Pictures, masked: Pictures, rebuilt: Pictures, captions: Sequence[str] | None = None
) -> Figure:
    """Draw a column a frame.

    Args:
        original, masked, rebuilt: (n, H, W, 3) uint8.
        captions: a line under each frame.

    Raises:
        ValueError: no frame, shapes that differ, or another number of captions.
    """
    shapes = {part.shape for part in (original, masked, rebuilt)}
    if len(shapes) != 1 or original.ndim != 4 or len(original) == 0:
        raise ValueError(f"three equal (n, H, W, 3) with n at least 1 are wanted, not {shapes}")
    count = len(original)
    if captions is not None and len(captions) != count:
        raise ValueError(f"{len(captions)} captions for {count} frames")
    side = min(_LARGEST, (FULL_WIDTH - _MARGIN) / count)
    tall = side * original.shape[1] / original.shape[2]
    size = (_MARGIN + side * count, 3 * (tall + 0.05) + 0.3)
    figure, grid = plt.subplots(3, count, figsize=size, squeeze=False, layout="constrained")
    for row, (name, part) in enumerate(zip(_ROWS, (original, masked, rebuilt), strict=True)):
        for axes, picture in zip(grid[row], part, strict=True):
            axes.imshow(picture, interpolation="nearest")
            axes.set_xticks([])
            axes.set_yticks([])
            for spine in axes.spines.values():
                spine.set_visible(False)
        grid[row, 0].set_ylabel(
            name, rotation=0, ha="right", va="center", fontsize=9, color=INK, labelpad=6
        )
    if captions is not None:
        for axes, caption in zip(grid[-1], captions, strict=True):
            axes.set_xlabel(caption, fontsize=7.5, color=INK)
    return figure
