"""What mask and pixels say of the polyps in a view, as numbers."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from endoalign.frames.box import box_of_mask
from endoalign.frames.convex import fill_convex
from endoalign.half_real.lab import to_lab
from endoalign.half_real.picture import LEAST_SHARE, Mask, Picture

WORKING_SIDE: Final = 256
"""The shorter side is measured at 256 to 511 pixels; smaller views as they are."""
RING: Final = 0.5
"""Width of the surroundings that a polyp is compared with, in radii of a disc of its area."""
GAP: Final = 0.08
"""Distance from the margin at which neither side is judged: masks are drawn by hand; same unit."""
EDGE: Final = 0.5
"""Side of the patches compared across the margin, same unit."""
LEAST_PATCH: Final = 0.05
"""Share of a patch that must lie on either side for the margin to be judged there."""
LEAST_RING: Final = 0.02
"""Surroundings below this share of the content are too few to compare with."""

Lab = NDArray[np.float64]


@dataclass(frozen=True)
class Measures:
    """Numbers of one view.

    ``count`` polyps; ``share`` of the content area that they cover; ``axis_ratio`` of the ellipse
    of equal second moments (1 is round) and ``solidity`` (area over that of the convex hull) of the
    largest; ``x`` and ``y`` of its centre in the content box (0 to 1, from the upper left);
    ``colour`` is the difference of the median L*, a*, b* of all from their surroundings (``None``
    where hardly any are in view); ``step`` is the median difference in colour across the margin.
    """

    count: int
    share: float
    axis_ratio: float
    solidity: float
    x: float
    y: float
    colour: tuple[float, float, float] | None
    step: float


def measure(view: Picture) -> Measures:
    """Measure the polyps in ``view``; raises ValueError where its mask is empty."""
    if not view.polyp.any():
        raise ValueError("a view without a polyp has nothing to measure")
    rgb, content, polyp = _working_size(view)
    pieces = _pieces(polyp)
    largest = pieces[0]
    x, y = _centre(largest, content | polyp)
    lab = to_lab(rgb)
    return Measures(
        count=len(pieces),
        share=float(polyp.sum() / (content | polyp).sum()),
        axis_ratio=_axis_ratio(largest),
        solidity=float(largest.sum() / fill_convex(largest).sum()),
        x=x,
        y=y,
        colour=_colour(lab, polyp, content),
        step=_step(lab, largest, content),
    )


def _working_size(view: Picture) -> tuple[NDArray[np.uint8], Mask, Mask]:
    """Pixels, content and polyp, reduced by a whole factor to the working side."""
    factor = max(1, min(view.polyp.shape) // WORKING_SIDE)
    height, width = (side // factor * factor for side in view.polyp.shape)

    def reduced(plane: NDArray[np.generic]) -> NDArray[np.float64]:
        rest = plane.shape[2:]
        blocks = plane[:height, :width].reshape(
            height // factor, factor, width // factor, factor, *rest
        )
        return np.asarray(blocks.mean(axis=(1, 3), dtype=np.float64))

    rgb = np.rint(reduced(view.rgb)).astype(np.uint8)
    return rgb, reduced(view.content) >= 0.5, reduced(view.polyp) >= 0.5


def _pieces(polyp: Mask) -> list[Mask]:
    """The polyps, largest first; a sliver that a window cut off counts only where it is alone."""
    labels, count = ndimage.label(polyp)
    sizes = np.bincount(labels.ravel(), minlength=count + 1)[1:]
    order = np.argsort(-sizes, kind="stable")
    kept = [k for k in order if sizes[k] >= LEAST_SHARE * polyp.size] or [order[0]]
    return [labels == k + 1 for k in kept]


def _centre(piece: Mask, content: Mask) -> tuple[float, float]:
    box = box_of_mask(content)
    assert box is not None, "the content holds the polyp"
    rows, columns = np.nonzero(piece)
    x = (columns.mean() + 0.5 - box.left) / (box.right - box.left)
    y = (rows.mean() + 0.5 - box.top) / (box.bottom - box.top)
    return float(x), float(y)


def _axis_ratio(piece: Mask) -> float:
    """Short over long axis of the ellipse with the piece's second moments (1/12: of a pixel)."""
    rows, columns = np.nonzero(piece)
    moments = np.cov(np.stack([rows, columns]), bias=True) + np.eye(2) / 12
    low, high = np.linalg.eigvalsh(moments)
    return float(math.sqrt(low / high))


def _colour(lab: Lab, polyp: Mask, content: Mask) -> tuple[float, float, float] | None:
    """Median colour of the polyps minus that of the ring around them."""
    radius = math.sqrt(polyp.sum() / math.pi)
    away = ndimage.distance_transform_edt(~polyp)
    ring = content & (away > max(1.0, GAP * radius)) & (away <= max(4.0, (GAP + RING) * radius))
    if ring.sum() < LEAST_RING * content.sum():
        return None
    inside, around = np.median(lab[polyp], axis=0), np.median(lab[ring], axis=0)
    # A polyp stands nearer to the lamp: at the surroundings' lightness, a* and b* scale as f(Y).
    at_equal_light = inside[1:] * (around[0] + 16) / (inside[0] + 16)
    a, b = at_equal_light - around[1:]
    return float(inside[0] - around[0]), float(a), float(b)


def _step(lab: Lab, piece: Mask, content: Mask) -> float:
    """Median over the margin of the colour difference between patches inside and outside it.

    Pixels within `GAP` of the margin belong to neither; 0 where no margin lies in the picture.
    """
    radius = math.sqrt(piece.sum() / math.pi)
    side = max(5, 2 * round(EDGE * radius / 2) + 1)
    gap = min(GAP * radius, side / 4)
    inside = piece & (ndimage.distance_transform_edt(piece) > gap)
    outside = content & (ndimage.distance_transform_edt(~piece) > gap)
    weights = [ndimage.uniform_filter(part.astype(np.float64), side) for part in (inside, outside)]
    margin = piece & ndimage.binary_dilation(~piece) & (np.minimum(*weights) > LEAST_PATCH)
    if not margin.any():
        return 0.0
    means = [_local_mean(lab, inside, side)[margin], _local_mean(lab, outside, side)[margin]]
    return float(np.median(np.linalg.norm(means[0] - means[1], axis=-1)))


def _local_mean(lab: Lab, part: Mask, side: int) -> Lab:
    """Mean colour of the pixels of ``part`` in the square around each pixel."""
    weight = ndimage.uniform_filter(part.astype(np.float64), side)
    total = ndimage.uniform_filter(lab * part[..., None], (side, side, 1))
    return np.asarray(total / np.maximum(weight, 1e-9)[..., None])
