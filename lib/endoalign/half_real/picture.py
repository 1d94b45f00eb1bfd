"""One real frame in memory: pixels, content area, and the polyp's mask where there is one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from endoalign.frames.box import Box
from endoalign.frames.content_area import content_area
from endoalign.frames.decode import FrameError, decode
from endoalign.half_real.sources import HalfRealError, SourceImage

THRESHOLD: Final = 127
"""Masks are lossy three-channel JPEG: above this grey value a pixel belongs to a polyp."""
LEAST_SHARE: Final = 0.002
"""Pieces of a mask below this share of the frame are noise of its compression or annotation."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Picture:
    """Pixels ``rgb`` uint8 (h, w, 3); ``content`` and ``polyp`` bool (h, w).

    ``polyp`` is false throughout on frames of normal mucosa.
    """

    rgb: NDArray[np.uint8]
    content: Mask
    polyp: Mask

    def crop(self, box: Box) -> "Picture":
        """The part of the picture inside ``box``."""
        return Picture(box.crop(self.rgb), box.crop(self.content), box.crop(self.polyp))


def read_picture(source: SourceImage) -> Picture:
    """Decode a frame and its mask.

    Raises:
        HalfRealError: a file that is no sound image, a mask of another size than its frame, and a
            mask without any polyp.
    """
    rgb = _decode(source.path)
    content = content_area(rgb).mask
    if source.mask is None:
        return Picture(rgb, content, np.zeros_like(content))
    grey = _decode(source.mask).mean(axis=2)
    if grey.shape != rgb.shape[:2]:
        sizes = f"{grey.shape[1]} x {grey.shape[0]}, not {rgb.shape[1]} x {rgb.shape[0]} pixels"
        raise HalfRealError(f"{source.mask}: {sizes} as its frame {source.path.name} has")
    polyp = clean_mask(grey > THRESHOLD)
    if not polyp.any():
        raise HalfRealError(
            f"{source.mask}: no polyp in it: no piece of pixels above {THRESHOLD} covers "
            f"{LEAST_SHARE:.1%} of the frame"
        )
    return Picture(rgb, content, polyp)


def clean_mask(mask: Mask) -> Mask:
    """The mask (h, w) with its holes filled, without pieces below `LEAST_SHARE` of the frame."""
    filled = ndimage.binary_fill_holes(mask)
    labels, _ = ndimage.label(filled)
    sizes = np.bincount(labels.ravel())
    keep = sizes >= LEAST_SHARE * mask.size
    keep[0] = False
    kept: Mask = keep[labels]
    return kept


def _decode(path: Path) -> NDArray[np.uint8]:
    try:
        return decode(path)
    except FrameError as error:
        raise HalfRealError(f"{path}: {error}") from None
