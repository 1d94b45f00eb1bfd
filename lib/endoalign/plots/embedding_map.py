"""A map of features in two dimensions, a colour a class (ENT-CLIP, figure 2).

Classes that differ in their side alone share a colour; their markers point to the side.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.figure import Figure
from numpy.typing import NDArray

from endoalign.plots.style import FULL_WIDTH

_SIDE: Final = re.compile(r"[\s_-]*\b(left|right)\b[\s_-]*", re.IGNORECASE)


def embedding_map(
    maps: Mapping[str, NDArray[np.floating]], labels: Sequence[str], *, classes: Sequence[str]
) -> Figure:
    """Draw one panel a system; distances between far points mean nothing in t-SNE.

    Args:
        maps: system -> (n, 2) places.
        labels: n classes.
        classes: in the order of the legend.

    Raises:
        ValueError: no system, places of another shape, or a label that is no class.
    """
    if not maps:
        raise ValueError("a map needs at least one system")
    if unknown := sorted(set(labels) - set(classes)):
        raise ValueError(f"label {unknown[0]!r} is none of {', '.join(classes)}")
    for name, places in maps.items():
        if places.shape != (len(labels), 2):
            raise ValueError(f"{name}: places {places.shape} for {len(labels)} labels")
    height = min(FULL_WIDTH / len(maps), 4.6) + 0.6
    figure, grid = plt.subplots(
        1, len(maps), figsize=(FULL_WIDTH, height), squeeze=False, layout="constrained"
    )
    organs = list(dict.fromkeys(map(_organ, classes)))
    colours = dict(zip(organs, sns.color_palette("colorblind", len(organs)), strict=True))
    of = np.asarray(labels, dtype=object)
    for axes, (name, places) in zip(grid.flat, maps.items(), strict=True):
        for label in classes:
            mine = places[of == label]
            colour, marker = colours[_organ(label)], _marker(label)
            face = "none" if marker == ">" else colour
            axes.scatter(
                *mine.T,
                s=20,
                lw=0.9,
                marker=marker,
                edgecolors=colour,
                facecolors=face,
                label=label,
            )
        axes.set_title(name)
        axes.set_xticks([])
        axes.set_yticks([])
    handles, names = grid.flat[0].get_legend_handles_labels()
    figure.legend(
        handles, names, loc="outside lower center", ncols=min(7, len(classes)), fontsize=8
    )
    return figure


def _organ(label: str) -> str:
    """A class without its side."""
    return _SIDE.sub(" ", label).strip()


def _marker(label: str) -> str:
    side = _SIDE.search(label)
    return "o" if side is None else {"left": "<", "right": ">"}[side[1].lower()]
