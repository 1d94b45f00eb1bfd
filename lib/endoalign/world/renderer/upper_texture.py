"""Surface of oesophagus and stomach over the common mucosa: epithelia, mosaic, states.

Called for each point that a ray meets; points are in cm, ``place`` shifted to the patient's own
part of the noise.
"""

import math
from typing import Any

from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.noise import cell_noise, gradient_noise, value_noise
from endoalign.world.renderer.texture import resolved, vessel_cover
from endoalign.world.renderer.upper_esophagus import varix_at
from endoalign.world.renderer.upper_form import DUODENUM, ESOPHAGUS
from endoalign.world.renderer.vectors import Vector, ahead, blend, scaled, smooth_step, times

_BLUE = (0.5, 0.62, 1.02)
"""Colour of a vein under the epithelium over that of the mucosa."""
_BILE = (0.55, 0.4, 0.05)
_PALE = (1.02, 1.55, 1.5)
"""Colour of atrophic mucosa over that of the mucosa."""


@compiled
def _esophageal(
    wall: Any, form: Any, point: Vector, place: Vector, footprint: float, albedo: Vector
) -> Vector:
    """Pale squamous epithelium with longitudinal vessels, up to the jagged Z-line."""
    x, y, z = point
    r = math.sqrt(x * x + y * y) + 1e-9
    cos, sin = x / r, y / r
    jag = value_noise((2.2 * cos + wall.offset_x, 2.2 * sin + wall.offset_y, 0.3 * z))
    jag += 0.45 * value_noise((6.0 * cos + wall.offset_y, 6.0 * sin, 0.9 * z + wall.offset_z))
    gastric = smooth_step(
        -0.03 - footprint, 0.05 + footprint, z - form.z_line - form.z_tongue * jag
    )
    if gastric < 1.0:
        px, py, pz = place
        n, _ = gradient_noise((5.0 * px, 5.0 * py, 0.7 * pz))
        fine = resolved(5.0, footprint)
        line = fine * smooth_step(0.07, 0.0, abs(n)) * (0.35 + 0.3 * jag)
        albedo = times(albedo, (1.0 - 0.1 * line, 1.0 - 0.5 * line, 1.0 - 0.45 * line))
        if form.varices > 0.0:
            vein = varix_at(form, math.atan2(y, x), r, z)
            albedo = blend(albedo, times(albedo, _BLUE), smooth_step(0.2, 0.8, vein))
    red = (form.gastric_red, form.gastric_green, form.gastric_blue)
    n, _ = gradient_noise(scaled(place, 2.5))
    return blend(albedo, scaled(red, 1.0 + 0.25 * n), gastric)


@compiled
def _gastric(
    form: Any, place: Vector, normal: Vector, footprint: float, albedo: Vector, slope: Vector
) -> tuple[Vector, Vector]:
    """The fine mosaic of the stomach; where it is atrophic, pale mucosa with vessels."""
    fine = form.areae * resolved(3.2, footprint)
    if fine > 0.0:
        d, away = cell_noise(scaled(place, 3.2))
        dark = 1.0 - fine * smooth_step(0.08, 0.42, d)
        albedo = times(albedo, (0.5 + 0.5 * dark, dark, dark))
        slope = ahead(slope, away, -0.5 * fine)
    if form.atrophy > 0.0:
        n, _ = gradient_noise(scaled(place, 0.45))
        m, _ = gradient_noise(scaled(place, 1.6))
        thin = smooth_step(-0.06, 0.12, n + 0.35 * m + 0.55 * form.atrophy - 0.2)
        albedo = blend(albedo, times(albedo, _PALE), thin)
        net = vessel_cover(place, normal, 0.75, 0.06, footprint) * thin
        albedo = blend(albedo, times(albedo, (0.7, 0.36, 0.42)), min(0.9 * net, 1.0))
        slope = scaled(slope, 1.0 - 0.5 * thin)
    return albedo, slope


@compiled
def upper_surface(
    wall: Any,
    point: Vector,
    place: Vector,
    normal: Vector,
    footprint: float,
    albedo: Vector,
    slope: Vector,
) -> tuple[Vector, Vector, float]:
    """Albedo and relief of an upper region over those of plain mucosa, and added gloss."""
    form = wall.form[0]
    gloss = 0.0
    if wall.organ == ESOPHAGUS:
        albedo = _esophageal(wall, form, point, place, footprint, albedo)
    elif wall.organ != DUODENUM:
        albedo, slope = _gastric(form, place, normal, footprint, albedo, slope)
    if form.bile > 0.0:
        n, _ = gradient_noise(scaled(place, 0.5))
        k = value_noise(scaled(place, 2.4))
        level = n + 0.15 * k + 0.3 * normal[1]
        film = form.bile * smooth_step(-0.12, 0.25, level + 0.25 * form.bile)
        albedo = blend(albedo, scaled(_BILE, 0.85 + 0.2 * k), 0.7 * film)
        gloss = 1.2 * film
        slope = scaled(slope, 1.0 - 0.6 * film)
    return albedo, slope, gloss
