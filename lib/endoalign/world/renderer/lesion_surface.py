"""Surface of a lesion: which colour, gloss, grains, defects and coatings its descriptors mean."""

from typing import Any, Final

import numpy as np

from endoalign.world.truth import Lesion

_TINTS: Final = {
    "red": (1.04, 0.5, 0.5),
    "pale": (1.15, 1.75, 1.8),
    "yellow": (1.12, 1.5, 0.5),
    "mucosal": (1.0, 1.0, 1.0),
}
"""Colour of the lesion over the colour of the mucosa around it (linear light)."""

_STRENGTHS: Final = {
    "granular": ("granular", 0.8, 1.2),
    "villous": ("villous", 0.8, 1.2),
    "congestion": ("congestion", 0.7, 1.0),
    "erosion": ("erosion", 0.35, 0.55),
    "bleeding": ("bleeding", 0.16, 0.28),
    "mucus_attachment": ("mucus", 0.5, 0.8),
    "white_coating": ("coating", 0.5, 0.8),
}
"""Field and range of the descriptors that are a single strength, or a radius in lesion radii."""


def _upward(rng: np.random.Generator, spread: float) -> tuple[float, float, float]:
    """A unit direction within ``spread`` radians of the lesion's top."""
    tilt, turn = rng.uniform(0.3, 1.0) * spread, rng.uniform(0, 2 * np.pi)
    return (
        float(np.sin(tilt) * np.cos(turn)),
        float(np.sin(tilt) * np.sin(turn)),
        float(np.cos(tilt)),
    )


def set_surface(record: Any, lesion: Lesion, rng: np.random.Generator) -> None:
    """Fill the surface fields of a lesion record in place.

    Every value is drawn whether or not its descriptor is there, so that two lesions of one seed
    that differ in one descriptor differ in nothing else.
    """
    said = set(lesion.descriptors)
    tint = np.array(_TINTS[lesion.colour]) ** rng.uniform(0.85, 1.15) * rng.uniform(0.96, 1.04, 3)
    record["tint_r"], record["tint_g"], record["tint_b"] = tint
    record["offset"] = rng.uniform(-500, 500)
    gloss, even, uneven = rng.uniform(0.5, 1.1), rng.uniform(0.14, 0.3), rng.uniform(0.9, 1.3)
    record["gloss"] = 2.2 if "smooth" in said else gloss
    record["rough"] = uneven if "rough" in said else 0.02 if "smooth" in said else even
    record["grain_rate"] = rng.uniform(3.4, 5.0)
    for name, (field, low, high) in _STRENGTHS.items():
        strength = rng.uniform(low, high)
        record[field] = strength if name in said else 0.0
    record["erosion_x"], record["erosion_y"], record["erosion_z"] = _upward(rng, 0.45)
    record["bleed_x"], record["bleed_y"], _ = _upward(rng, 0.5)
    record["mucus_x"], record["mucus_y"], _ = _upward(rng, 0.6)
    record["coat_x"], record["coat_y"], _ = _upward(rng, 0.6)
