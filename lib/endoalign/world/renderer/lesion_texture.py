"""Surface of a lesion at a point: its colour over the mucosa's, and its relief.

Coordinates are radii of the lesion, so that grains grow with it; ``footprint`` too.
"""

import math
from typing import Any

from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.lesion_coats import coated, wounded
from endoalign.world.renderer.lesion_distance import head_direction, local_point, plateau_point
from endoalign.world.renderer.noise import cell_edge, cell_noise, gradient_noise, value_noise
from endoalign.world.renderer.texture import line_cover, resolved
from endoalign.world.renderer.vectors import Vector, ahead, blend, scaled, smooth_step, times


@compiled
def _rough(
    lesion: Any, q: Vector, albedo: Vector, slope: Vector, footprint: float
) -> tuple[Vector, Vector]:
    for octave in range(2):
        f = 5.5 + 7.0 * octave
        share = lesion.rough * resolved(f, footprint)
        if share > 0.0:
            n, gradient = gradient_noise(scaled(q, f))
            slope = ahead(slope, gradient, share)
            tone = math.exp(0.55 * share * n)
            albedo = times(albedo, (0.5 + 0.5 * tone, tone, tone))
    return albedo, slope


@compiled
def _granular(
    lesion: Any, q: Vector, albedo: Vector, slope: Vector, footprint: float
) -> tuple[Vector, Vector]:
    """Domes on a jittered lattice, paler on top and red between."""
    share = lesion.granular * resolved(lesion.grain_rate, footprint)
    d, away = cell_noise(scaled(q, lesion.grain_rate))
    tone = 1.22 + (0.55 - 1.22) * share * smooth_step(0.02, 0.42, d)
    return times(albedo, (0.6 + 0.4 * tone, tone, tone)), ahead(slope, away, -2.2 * share)


@compiled
def _villous(
    lesion: Any, q: Vector, albedo: Vector, slope: Vector, footprint: float
) -> tuple[Vector, Vector]:
    """Fronds: ridges of a warped, stretched noise with dark grooves between."""
    f = 0.95 * lesion.grain_rate
    share = lesion.villous * resolved(f, footprint)
    _, warp = gradient_noise(scaled(q, 1.9))
    x, y, z = ahead(q, warp, 0.3)
    n, gradient = gradient_noise((f * x, 0.45 * f * y, 0.8 * f * z))
    sign = -1.0 if n > 0.0 else 1.0
    frond = (1.9 * gradient[0], gradient[1], gradient[2])
    tone = 1.15 + (0.42 - 1.15) * share * (1.0 - smooth_step(0.0, 0.17, abs(n)))
    return times(albedo, (0.45 + 0.55 * tone, tone, tone)), ahead(slope, frond, sign * share)


@compiled
def _congested(lesion: Any, q: Vector, albedo: Vector, footprint: float) -> Vector:
    """Redder tissue with engorged small vessels."""
    rate = 3.2
    _, warp = gradient_noise(scaled(q, 2.0))
    away, _ = cell_edge(scaled(ahead(q, warp, 0.2), rate))
    run = smooth_step(-0.5, 0.2, value_noise(scaled(q, 2.0)))
    red = lesion.congestion * (0.34 + 0.45 * run * line_cover(away / rate, 0.035, footprint))
    return times(albedo, (1.0 - 0.12 * red, 1.0 - 0.8 * red, 1.0 - 0.75 * red))


@compiled
def lesion_at(
    lesion: Any, inside: float, point: Vector, mucosa: Vector, footprint: float
) -> tuple[Vector, Vector, float, float]:
    """Albedo, slope of the relief (scene axes), gloss, and weight of the lesion, 0 to 1.

    ``inside`` is the distance into the outline from `lesion_distance`; ``mucosa`` the albedo of
    the wall; the lesion fades into it over its margin.
    """
    u, v, w = local_point(lesion, point[0], point[1], point[2])
    radius = lesion.radius
    if lesion.plateau > 0.5:
        x, y, rho = plateau_point(lesion, u, v)
        direction = (x, y, math.sqrt(max(1.0 - rho * rho, 0.0)))
    else:
        x, y, z, _, _ = head_direction(lesion, u, v, w)
        direction = (x, y, z)
    weight = smooth_step(-lesion.fade, lesion.fade, inside)
    q = (u / radius + lesion.offset, v / radius + 0.37 * lesion.offset, w / radius)
    fine = footprint / radius
    n, _ = gradient_noise(scaled(q, 1.7))
    warm = math.exp(-min(0.03 + 1.2 * lesion.rough, 0.35) * n)
    albedo = times(mucosa, (lesion.tint_r, lesion.tint_g * warm, lesion.tint_b * warm))
    slope = (0.0, 0.0, 0.0)
    albedo, slope = _rough(lesion, q, albedo, slope, fine)
    if lesion.granular > 0.0:
        albedo, slope = _granular(lesion, q, albedo, slope, fine)
    if lesion.villous > 0.0:
        albedo, slope = _villous(lesion, q, albedo, slope, fine)
    if lesion.congestion > 0.0:
        albedo = _congested(lesion, q, albedo, fine)
    uneven = 0.14 * value_noise(scaled(q, 4.0))
    albedo = wounded(lesion, q, direction, uneven, albedo)
    albedo = blend(mucosa, albedo, weight)
    albedo, keep, gloss = coated(lesion, u / radius, v / radius, uneven, albedo)
    bx, by, bz = scaled(slope, keep)
    slope = (
        bx * lesion.ux + by * lesion.vx + bz * lesion.wx,
        bx * lesion.uy + by * lesion.vy + bz * lesion.wy,
        bx * lesion.uz + by * lesion.vz + bz * lesion.wz,
    )
    return albedo, slope, lesion.gloss + gloss, weight
