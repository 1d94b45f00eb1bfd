"""Defects of a lesion's surface (erosion, ulcer) and what lies on it (fibrin, mucus, blood)."""

import math
from typing import Any

from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.noise import value_noise
from endoalign.world.renderer.vectors import Vector, blend, scaled, smooth_step, times

_FIBRIN = (0.68, 0.53, 0.32)
_EROSION = (0.7, 0.56, 0.44)
_COATING = (0.92, 0.88, 0.8)
_MUCUS = (0.62, 0.6, 0.2)
_BLOOD = (0.33, 0.015, 0.01)


@compiled
def _chord(a: Vector, x: float, y: float, z: float) -> float:
    """Angle between two unit directions (radians, small-angle chord)."""
    return math.sqrt((a[0] - x) ** 2 + (a[1] - y) ** 2 + (a[2] - z) ** 2)


@compiled
def wounded(lesion: Any, q: Vector, direction: Vector, uneven: float, albedo: Vector) -> Vector:
    """Albedo with ulcer and erosion: a pale floor inside a red rim. ``q`` in radii."""
    if lesion.ulcer > 0.0:
        away = _chord(direction, lesion.ulcer_x, lesion.ulcer_y, lesion.ulcer_z) + uneven
        rim = smooth_step(1.5 * lesion.ulcer, 0.95 * lesion.ulcer, away)
        floor = smooth_step(0.95 * lesion.ulcer, 0.75 * lesion.ulcer, away)
        albedo = times(albedo, (1.0, 1.0 - 0.5 * rim, 1.0 - 0.45 * rim))
        tone = 0.85 + 0.3 * value_noise(scaled(q, 7.0))
        albedo = blend(albedo, scaled(_FIBRIN, tone), floor)
    if lesion.erosion > 0.0:
        away = _chord(direction, lesion.erosion_x, lesion.erosion_y, lesion.erosion_z) + uneven
        rim = smooth_step(1.4 * lesion.erosion, lesion.erosion, away)
        floor = smooth_step(lesion.erosion, 0.75 * lesion.erosion, away)
        albedo = times(albedo, (1.0, 1.0 - 0.55 * rim, 1.0 - 0.5 * rim))
        albedo = blend(albedo, _EROSION, floor)
    return albedo


@compiled
def coated(
    lesion: Any, u: float, v: float, uneven: float, albedo: Vector
) -> tuple[Vector, float, float]:
    """Albedo under coats that may run past the lesion's edge, kept relief, added gloss.

    ``u`` and ``v`` are the place on the lesion seen from above, in radii.
    """
    keep, gloss = 1.0, 0.0
    if lesion.coating > 0.0:
        away = math.hypot(u - lesion.coat_x, v - lesion.coat_y) + 2.2 * uneven
        cover = smooth_step(lesion.coating, lesion.coating - 0.25, away)
        albedo = blend(albedo, _COATING, 0.92 * cover)
        keep *= 1.0 - 0.6 * cover
    if lesion.mucus > 0.0:
        away = math.hypot(u - lesion.mucus_x, v - lesion.mucus_y) + 1.6 * uneven
        cover = smooth_step(lesion.mucus, lesion.mucus - 0.15, away)
        strand = abs(u * lesion.mucus_y - v * lesion.mucus_x + 1.2 * uneven)
        reach = smooth_step(1.5, 1.2, abs(u) + abs(v))
        cover = max(cover, smooth_step(0.14, 0.05, strand) * reach)
        albedo = blend(albedo, _MUCUS, 0.7 * cover)
        gloss += 2.0 * cover
        keep *= 1.0 - 0.85 * cover
    if lesion.bleeding > 0.0:
        start = math.hypot(lesion.bleed_x, lesion.bleed_y) + 1e-6
        cx, cy = lesion.bleed_x / start, lesion.bleed_y / start
        along = u * cx + v * cy
        across = abs(v * cx - u * cy + 1.5 * uneven)
        beyond = max(start - along, 0.0) + max(along - 1.9, 0.0)
        cover = smooth_step(lesion.bleeding, 0.6 * lesion.bleeding, math.hypot(across, beyond))
        albedo = blend(albedo, _BLOOD, 0.94 * cover)
        gloss += 1.2 * cover
        keep *= 1.0 - 0.8 * cover
    return albedo, keep, gloss
