"""Soft targets of a batch as a picture: which units match which (EndoVLM, eq. 4)."""

from collections.abc import Sequence
from typing import Final

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import PowerNorm
from matplotlib.figure import Figure
from numpy.typing import NDArray

from endoalign.plots.style import ACCENT, INK, MUTED
from endoalign.vocabulary import REGIONS

_SIDE: Final = 6.2  # inches


def target_matrix(
    targets: NDArray[np.floating], regions: Sequence[str], abnormal: Sequence[bool]
) -> Figure:
    """Draw the matrix, its units ordered by region and status, with a line between regions.

    Regions stand in anatomical order; abnormal units stand last in their region and have a red
    tick. Colours follow the square root of a share, so that small ones show.

    Args:
        targets: (M, M), rows sum to 1.
        regions, abnormal: of the M units.

    Raises:
        ValueError: no unit, or shapes that do not fit.
    """
    count = len(regions)
    if count == 0 or targets.shape != (count, count) or len(abnormal) != count:
        raise ValueError(
            f"targets {targets.shape} must be (M, M) for M regions and statuses, "
            f"not {count} and {len(abnormal)}"
        )
    names = [*filter(set(regions).__contains__, REGIONS), *sorted(set(regions) - set(REGIONS))]
    place = np.array([names.index(region) for region in regions])
    is_abnormal = np.asarray(abnormal, dtype=bool)
    order = np.lexsort((is_abnormal, place))
    figure, axes = plt.subplots(figsize=(_SIDE + 1.2, _SIDE), layout="constrained")
    drawn = axes.imshow(
        targets[np.ix_(order, order)],
        cmap="viridis",
        interpolation="nearest",
        norm=PowerNorm(0.5, vmin=0),
    )
    figure.colorbar(drawn, ax=axes, label="share of the target", shrink=0.7)
    sizes = np.bincount(place, minlength=len(names))
    ends = np.cumsum(sizes)
    for end in ends[:-1]:
        axes.axhline(end - 0.5, color="white", lw=0.4)
        axes.axvline(end - 0.5, color="white", lw=0.4)
    shown = [name.replace("_", " ") for name in names]
    axes.set_yticks(ends - sizes / 2 - 0.5, shown, fontsize=7.5)
    axes.set_xticks(ends - sizes / 2 - 0.5, shown, fontsize=7.5, rotation=90)
    axes.tick_params(length=0, color=MUTED)
    _mark(axes, np.flatnonzero(is_abnormal[order]))
    axes.set_title("soft targets: rows sum to 1; red: abnormal", color=INK)
    return figure


def _mark(axes: Axes, rows: NDArray[np.int64]) -> None:
    """Red ticks inside the right edge, at the rows of abnormal units."""
    place = axes.get_yaxis_transform()
    for row in rows:
        axes.plot([1.0, 1.02], [row, row], transform=place, color=ACCENT, lw=1.0, clip_on=False)
