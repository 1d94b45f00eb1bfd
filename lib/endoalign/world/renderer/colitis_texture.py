"""Surface of inflamed mucosa at a point: its colour, relief and gloss over those at rest."""

from endoalign.world.renderer.colitis_cover import (
    activity,
    blood_cover,
    erosion_cover,
    exudate_cover,
    petechia_cover,
    ulcer_cover,
)
from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.noise import cell_noise, value_noise
from endoalign.world.renderer.scene import Mucosa
from endoalign.world.renderer.texture import resolved
from endoalign.world.renderer.vectors import Vector, ahead, blend, scaled, smooth_step, times

_FIBRIN = (0.6, 0.45, 0.22)
_GRANULATION = (0.5, 0.14, 0.08)
"""Red floor of an ulcer where the fibrin has come off."""
_EROSION = (0.62, 0.43, 0.28)
_EXUDATE = (0.56, 0.44, 0.2)
_BLOOD = (0.3, 0.012, 0.008)
_POINT = (0.36, 0.02, 0.015)
_FRESH = (0.5, 0.03, 0.02)
"""Thin blood at the edge of a pool."""


@compiled
def _reddened(
    mucosa: Mucosa, place: Vector, albedo: Vector, slope: Vector, footprint: float
) -> tuple[Vector, Vector]:
    """Erythema, uneven from place to place, and the granular relief of swollen mucosa."""
    red = min(mucosa.erythema * activity(place), 1.15)
    albedo = times(albedo, (1.0 - 0.1 * red, 1.0 - 0.66 * red, 1.0 - 0.58 * red))
    for octave in range(2):
        rate = 5.5 + 5.0 * octave
        share = mucosa.granular * resolved(rate, footprint)
        if share > 0.0:
            d, away = cell_noise(scaled(place, rate))
            slope = ahead(slope, away, -1.3 * share)
            pale = 1.0 + share * (0.1 - 0.3 * d)
            albedo = times(albedo, (0.5 + 0.5 * pale, pale, pale))
    return albedo, slope


@compiled
def inflamed_at(
    mucosa: Mucosa, place: Vector, albedo: Vector, slope: Vector, footprint: float
) -> tuple[Vector, Vector, float]:
    """Albedo, slope of the relief and further gloss of a wall with colitis.

    ``albedo`` and ``slope`` are those of `texture.mucosa_at`. Wounds lie in the mucosa, exudate on
    them, blood on everything.
    """
    albedo, slope = _reddened(mucosa, place, albedo, slope, footprint)
    spot = petechia_cover(mucosa, place, footprint)
    albedo = blend(albedo, _POINT, 0.9 * spot)
    floor, halo = erosion_cover(mucosa, place, footprint)
    albedo = times(albedo, (1.0, 1.0 - 0.45 * halo, 1.0 - 0.4 * halo))
    albedo = blend(albedo, _EROSION, 0.85 * floor)
    floor, rim, out = ulcer_cover(mucosa, place, footprint)
    albedo = times(albedo, (1.0 - 0.22 * rim, 1.0 - 0.68 * rim, 1.0 - 0.6 * rim))
    patchy = value_noise(scaled(place, 3.0)) + 0.5 * value_noise(scaled(place, 8.0))
    tone = 0.92 + 0.14 * patchy
    base = blend(_GRANULATION, scaled(_FIBRIN, tone), smooth_step(-0.8, -0.1, patchy))
    albedo = blend(albedo, base, 0.95 * floor)
    slope = ahead(scaled(slope, 1.0 - 0.6 * floor), out, 2.0 * rim)
    film = 0.8 * exudate_cover(mucosa, place)
    albedo = blend(albedo, _EXUDATE, film)
    blood = blood_cover(mucosa, place, footprint)
    albedo = blend(albedo, blend(_FRESH, _BLOOD, blood), 0.95 * min(1.6 * blood, 1.0))
    slope = scaled(slope, (1.0 - 0.4 * film) * (1.0 - 0.8 * blood))
    return albedo, slope, 0.5 * film + 1.1 * blood
