"""Each real frame read once: what windows it has room for, and which frames repeat others."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from endoalign.half_real.likeness import detail, groups_of, near_pairs
from endoalign.half_real.picture import read_picture
from endoalign.half_real.sources import SourceImage
from endoalign.half_real.windows import Grid, grid_of


@dataclass(frozen=True)
class Surveyed:
    """A source frame and its cells (`windows.Grid`)."""

    source: SourceImage
    grid: Grid


def survey(
    sources: list[SourceImage],
    near_correlation: float,
    progress: Callable[[int], None] | None = None,
) -> tuple[list[Surveyed], list[list[int]]]:
    """Read every frame; return them in order, and groups of indices that show the same scene.

    Raises:
        HalfRealError: a frame or mask that cannot be used.
    """
    found: list[Surveyed] = []
    details: list[NDArray[np.float32]] = []
    for done, source in enumerate(sources, start=1):
        picture = read_picture(source)
        found.append(Surveyed(source, grid_of(picture)))
        details.append(detail(picture))
        if progress is not None:
            progress(done)
    return found, groups_of(len(found), near_pairs(details, near_correlation))
