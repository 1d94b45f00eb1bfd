"""The plain area around the endoscopic picture, and insets that processors lay over a corner."""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from endoalign.frames.windows import window_max

BLACK: Final = 40
"""A corner whose brightest channel is below this may belong to a black surround."""
NOISE: Final = 8
"""Grey levels that coding leaves around a plain colour; noisier surrounds get four deviations."""
TISSUE_RED: Final = 15
"""A corner whose red leads by more is tissue, never a coloured surround."""
BURNT_OUT: Final = 235
"""A corner brighter in all channels is glare, never a coloured surround."""
SMEARED: Final = 0.35
"""Share of the contrast of picture to surround below which a pixel is the surround's."""
INSET_SHARE: Final = 0.01
"""Insets cover at least this share of the frame."""
INSET_FILL: Final = 0.6
"""Insets fill at least this share of the box around them; a drawing on them leaves gaps."""

Colour = NDArray[np.float64]


def surround_mask(rgb: NDArray[np.uint8]) -> NDArray[np.bool_] | None:
    """Return which pixels (h, w) belong to the surround; `None` where there is no surround.

    They have its colour, or come nearer to it than to the picture beside them: coding smears the
    outline of the picture over a pixel or two. A surround shows in the corners of the frame: in
    one or more where it is black, in at least three that agree where it has another colour.
    """
    corners = _corner_colours(rgb)
    black = [(colour, noise) for colour, noise in corners if colour.max() < BLACK]
    shown = black or _agreeing([corner for corner in corners if not _like_picture(corner[0])])
    if not shown:
        return None
    colour, noise = min(shown, key=lambda corner: float(corner[0].max()))  # the darkest
    apart = _distance(rgb, colour)
    plain = apart <= max(NOISE, 4 * noise)
    outline = window_max(plain.view(np.uint8), 5).view(np.bool_)
    return np.asarray(plain | outline & (apart < SMEARED * window_max(apart, 5)))


def inset_mask(rgb: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the pixels (h, w) of an inset: a filled rectangle of one cold colour, or none at all.

    Tissue seldom has one exact colour over a rectangle, and where it does red leads; so insets
    are looked for among colours in which red does not lead.
    """
    red, green, blue = (rgb[..., k].astype(np.int16) for k in range(3))
    cold = red + TISSUE_RED < np.maximum(green, blue)
    found = np.zeros(cold.shape, dtype=np.bool_)
    if cold.mean() < INSET_SHARE:
        return found
    code = (red >> 4) * 256 + (green >> 4) * 16 + (blue >> 4)
    common = np.bincount(code[cold]).argmax()
    colour = np.median(rgb[cold & (code == common)], axis=0)
    alike = _distance(rgb, colour) <= 2 * NOISE
    labels, _ = ndimage.label(alike)
    for window in ndimage.find_objects(labels):
        share = alike[window].mean()
        if alike[window].size >= INSET_SHARE * cold.size and share >= INSET_FILL:
            found[window] = True
    return found


def _distance(rgb: NDArray[np.uint8], colour: Colour) -> NDArray[np.uint8]:
    """Return how far each pixel (h, w) is from ``colour``, in the channel that differs most."""
    distance = np.zeros(rgb.shape[:2], dtype=np.uint8)
    for channel, level in enumerate(np.rint(colour).astype(np.uint8)):
        plane = rgb[..., channel]
        np.maximum(distance, np.maximum(plane, level) - np.minimum(plane, level), out=distance)
    return distance


def _corner_colours(rgb: NDArray[np.uint8]) -> list[tuple[Colour, float]]:
    """Return each corner's median colour with its noise (scaled median absolute deviation)."""
    side = max(2, min(rgb.shape[:2]) // 64)
    corners = []
    for rows in (slice(None, side), slice(-side, None)):
        for columns in (slice(None, side), slice(-side, None)):
            pixels = rgb[rows, columns].reshape(-1, 3)
            colour = np.median(pixels, axis=0)
            noise = 1.4826 * float(np.median(np.abs(pixels - colour)))
            corners.append((colour, noise))
    return corners


def _like_picture(colour: Colour) -> bool:
    """Return whether a corner is red as tissue or burnt out, as pictures without surround are."""
    return bool(colour[0] - colour[1:].max() > TISSUE_RED or colour.min() > BURNT_OUT)


def _agreeing(corners: list[tuple[Colour, float]]) -> list[tuple[Colour, float]]:
    """Return the largest group of calm corners of one colour if it has three or more."""
    calm = [corner for corner in corners if corner[1] <= NOISE]
    groups = [
        [other for other in calm if np.abs(other[0] - corner[0]).max() <= 2 * NOISE]
        for corner in calm
    ]
    largest = max(groups, key=len, default=[])
    return largest if len(largest) >= 3 else []
