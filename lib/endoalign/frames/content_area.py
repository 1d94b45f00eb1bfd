"""Where the endoscopic picture lies in a frame: its box and mask on the processor's surround.

The surround is the plain area around the picture, black or of one colour, with burnt-in text and
perhaps an inset. Pictures are convex (rectangle, octagon, disc or a disc cut off), so the convex
hull of what differs from the surround restores a dark lumen that runs into it.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from endoalign.frames.box import Box, box_of_mask
from endoalign.frames.convex import fill_convex
from endoalign.frames.surround import inset_mask, surround_mask
from endoalign.frames.windows import window_max, window_min

WORKING_SIDE: Final = 256
"""The shorter side is searched at 256 to 511 pixels: boxes are good to 1 in 256."""
SMALLEST_SHARE: Final = 0.05
"""Content below this share of the frame is taken for a failed search: the whole frame is kept."""


@dataclass(frozen=True)
class ContentArea:
    """``box`` is the smallest box around ``mask``, bool of the frame's shape (h, w)."""

    box: Box
    mask: NDArray[np.bool_]


def content_box(rgb: NDArray[np.uint8]) -> Box:
    """Return the box of the endoscopic picture in a frame, uint8 (h, w, 3)."""
    return content_area(rgb).box


def content_area(rgb: NDArray[np.uint8]) -> ContentArea:
    """Find the endoscopic picture in a frame, uint8 (h, w, 3).

    The whole frame is returned where no surround is found or hardly anything is left: frames
    that fill the picture, and frames that are black throughout. An inset of one colour that
    covers a corner of the picture is left out of the mask. Raises ValueError on another shape.
    """
    if rgb.ndim != 3 or rgb.shape[2] != 3 or 0 in rgb.shape:
        raise ValueError(f"a frame has shape (height, width, 3), not {rgb.shape}")
    height, width = rgb.shape[:2]
    factor = max(1, min(height, width) // WORKING_SIDE)
    mask = _search(np.asarray(Image.fromarray(rgb).reduce(factor)))
    mask = mask.repeat(factor, axis=0).repeat(factor, axis=1)[:height, :width]
    box = box_of_mask(mask)
    if box is None:
        raise AssertionError("a search returns a mask that is not empty")
    return ContentArea(box, mask)


def _search(small: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the content mask at working size."""
    everything = np.ones(small.shape[:2], dtype=np.bool_)
    surround = surround_mask(small)
    if surround is None:
        return everything
    inset = inset_mask(small)
    picture = fill_convex(_largest(_without_strokes(~surround & ~inset)))
    mask = picture & ~inset
    return mask if mask.mean() >= SMALLEST_SHARE else everything


def _without_strokes(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Fill the holes of a mask and open it with a square 1/16 of the shorter side wide.

    Burnt-in text that touches the picture has thinner strokes than that (in small frames than
    seven pixels); of a disc the square costs a quarter of a pixel, of an octagon nothing.
    """
    side = max(7, 2 * (min(mask.shape) // 32) + 1)
    opened = window_max(window_min(_without_holes(mask).view(np.uint8), side), side)
    return opened.view(np.bool_)


def _without_holes(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the mask with the false regions filled that do not reach the edge of the frame."""
    labels, count = ndimage.label(~mask)
    outside = np.zeros(count + 1, dtype=np.bool_)
    for edge in (labels[0], labels[-1], labels[:, 0], labels[:, -1]):
        outside[edge] = True
    outside[0] = False  # the mask itself
    filled: NDArray[np.bool_] = ~outside[labels]
    return filled


def _largest(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    labels, count = ndimage.label(mask)
    if count < 2:
        return mask
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    return np.asarray(labels == sizes.argmax())
