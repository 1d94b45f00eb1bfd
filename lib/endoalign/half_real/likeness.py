"""Real frames that show the same scene a moment apart, so that they enter the same split.

Perceptual hashes of 64 bits do not tell here: they see little more than the octagon of the
processor. Among the 420 polyp frames of Kvasir-SEG that this was written with, the 30 pairs of
closest hashes (6 to 8 bits) were looked at and hold one true repetition, while another lies 16 bits
apart. The fine relief of the content finds it and three more among its 27 pairs of correlation 0.55
or above; the others only cost freedom in the split. Frames that show one lesion from another angle
stay undetected: the data sets name no patients.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import fft, ndimage

from endoalign.frames.box import box_of_mask
from endoalign.half_real.picture import Picture

SIDE: Final = 64
"""Frames are compared at so many pixels a side."""
SHIFT: Final = 10
"""Scenes may have moved by so many of those pixels."""
TEXT: Final = 14
"""Columns on the left left out: processors burn their text in there, alike on all frames."""
_BLUR: Final = 5.0
_CLIP: Final = 20.0  # grey levels: glints must not outweigh the relief
_FLAT: Final = 0.05  # grey levels, root mean square: below it relief is rounding noise
_SOFTEN: Final = 0.7
_RIM: Final = 3
_PADDED: Final = 80  # SIDE + SHIFT at least, so that shifts do not wrap round


def detail(picture: Picture) -> NDArray[np.float32]:
    """Fine relief of a picture's content, (64, 64), of norm 1; all 0 where there is none."""
    box = box_of_mask(picture.content)
    assert box is not None, "a content area is never empty"
    grey = Image.fromarray(box.crop(picture.rgb)).convert("L")
    inside = Image.fromarray(box.crop(picture.content).astype(np.uint8) * 255)
    size, filter_ = (SIDE, SIDE), Image.Resampling.BOX
    values = np.asarray(grey.resize(size, filter_), dtype=np.float64)
    mask = np.asarray(inside.resize(size, filter_)) > 250
    mask = ndimage.binary_erosion(mask, iterations=_RIM)
    mask[:, :TEXT] = False
    weight = np.maximum(ndimage.gaussian_filter(mask.astype(np.float64), _BLUR), 1e-6)
    relief = values - ndimage.gaussian_filter(np.where(mask, values, 0.0), _BLUR) / weight
    relief = np.where(mask, np.clip(relief, -_CLIP, _CLIP), 0.0)
    relief = np.where(mask, ndimage.gaussian_filter(relief, _SOFTEN), 0.0)
    norm = float(np.linalg.norm(relief))
    return np.asarray(
        relief / norm if norm > _FLAT * SIDE else np.zeros_like(relief), dtype=np.float32
    )


def near_pairs(details: list[NDArray[np.float32]], least: float) -> list[tuple[int, int]]:
    """Pairs ``(i, j)``, i < j, whose relief correlates by ``least`` or more at some small shift.

    All pairs are compared, through the Fourier transform: memory grows with the number of frames,
    time with its square (about 10 seconds for 475 frames on one core).
    """
    if not details:
        return []
    shape = (_PADDED, _PADDED)
    spectra = fft.rfft2(np.stack(details), s=shape)
    near = np.r_[0 : SHIFT + 1, _PADDED - SHIFT : _PADDED]
    pairs = []
    for i in range(len(details) - 1):
        correlation = fft.irfft2(spectra[i] * np.conj(spectra[i + 1 :]), s=shape)
        best = correlation[:, near][:, :, near].max(axis=(1, 2))
        pairs += [(i, i + 1 + int(k)) for k in np.flatnonzero(best >= least)]
    return pairs


def groups_of(count: int, pairs: list[tuple[int, int]]) -> list[list[int]]:
    """Indices 0 to ``count`` - 1 in groups that the pairs chain together, by first member."""
    parent = list(range(count))

    def root(k: int) -> int:
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    for i, j in pairs:
        low, high = sorted((root(i), root(j)))
        parent[high] = low
    groups: dict[int, list[int]] = {}
    for k in range(count):
        groups.setdefault(root(k), []).append(k)
    return list(groups.values())
