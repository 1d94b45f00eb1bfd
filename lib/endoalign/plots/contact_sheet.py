"""Contact sheet: many frames in a grid, with captions and outlines of masks."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from endoalign.plots.style import FULL_WIDTH, INK

OUTLINE = "#4de3c1"


def contact_sheet(
    images: Sequence[np.ndarray],
    captions: Sequence[str] | None = None,
    *,
    masks: Sequence[np.ndarray | None] | None = None,
    columns: int = 8,
) -> Figure:
    """Draw frames in reading order.

    Args:
        images: RGB frames, each (H, W, 3) uint8; sizes may differ.
        captions: a line under each frame.
        masks: a mask (H, W) a frame, outlined where it is above 0; ``None`` draws no outline.
        columns: frames a row.

    Raises:
        ValueError: no images, or captions or masks of another number than the images.
    """
    if not images:
        raise ValueError("a contact sheet needs at least one image")
    for name, values in (("captions", captions), ("masks", masks)):
        if values is not None and len(values) != len(images):
            raise ValueError(f"{len(values)} {name} for {len(images)} images")
    columns = min(columns, len(images))
    rows = -(-len(images) // columns)
    side = FULL_WIDTH / columns
    tallest = max(image.shape[0] / image.shape[1] for image in images)
    height = rows * (side * tallest + (0.2 if captions is not None else 0.02))
    figure, grid = plt.subplots(
        rows,
        columns,
        figsize=(FULL_WIDTH, height),
        squeeze=False,
        layout=ConstrainedLayoutEngine(w_pad=0.02, h_pad=0.02, wspace=0.0, hspace=0.0),
    )
    for axes in grid.flat:
        axes.set_axis_off()
    for index, image in enumerate(images):
        axes = grid.flat[index]
        axes.imshow(image, interpolation="lanczos")
        if masks is not None:
            _outline(axes, masks[index])
        if captions is not None:
            _caption(axes, captions[index])
    return figure


def _caption(axes: Axes, text: str) -> None:
    axes.text(
        0.5, -0.03, text, transform=axes.transAxes, ha="center", va="top", fontsize=7.5, color=INK
    )


def _outline(axes: Axes, mask: np.ndarray | None) -> None:
    if mask is not None and (mask > 0).any() and not (mask > 0).all():
        axes.contour(mask > 0, levels=[0.5], colors=OUTLINE, linewidths=0.9)
