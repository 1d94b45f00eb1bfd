"""Surface of the mucosa at a point: albedo, slope of the fine relief.

``footprint`` is the width of a pixel on the surface (cm); detail finer than it is faded out, so
that small frames do not alias. Points are in cm, shifted to the patient's place in the noise.
"""

import math

from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.noise import cell_edge, cell_noise, gradient_noise, value_noise
from endoalign.world.renderer.scene import Mucosa
from endoalign.world.renderer.vectors import Vector, ahead, blend, dot, scaled, smooth_step, times


@compiled
def resolved(rate: float, footprint: float) -> float:
    """Share of a detail of ``rate`` per cm that a pixel of ``footprint`` cm can show."""
    return min(max(1.6 - 2.6 * rate * footprint, 0.0), 1.0)


@compiled
def line_cover(away: float, width: float, footprint: float) -> float:
    """Share of a pixel covered by a line of ``width`` cm whose middle is ``away`` cm off."""
    soft = max(footprint, 0.6 * width)
    return min(1.0, width / soft) * (1.0 - smooth_step(0.5 * width, 0.5 * width + soft, away))


@compiled
def vessel_cover(
    point: Vector, normal: Vector, rate: float, width: float, footprint: float
) -> float:
    """Opacity of a branching net of vessels: borders of warped cells, in two calibres.

    A border that runs along the surface would fill an area; it fades there.
    """
    _, wide = gradient_noise(scaled(point, 1.3 * rate))
    _, fine = gradient_noise(scaled(point, 4.0 * rate))
    point = ahead(ahead(point, wide, 0.24 / rate), fine, 0.05 / rate)
    cover = 0.0
    for octave in range(2):
        f = rate * (0.8 + 1.3 * octave)
        x, y, z = scaled(point, f)
        run = value_noise((0.8 * x + 31.0 * octave, 0.8 * y, 0.8 * z))
        calibre = width * (1.0 - 0.45 * octave) * (1.0 + 0.6 * run)
        shown = smooth_step(-0.25, 0.3, run) * (1.0 - 0.25 * octave)
        if shown == 0.0 or calibre < 0.12 * footprint:
            continue
        away, across = cell_edge((x + 7.0 * octave, y, z))
        steep = math.sqrt(max(1.0 - dot(across, normal) ** 2, 0.02))
        line = line_cover(away / (f * steep), calibre, footprint) * smooth_step(0.2, 0.6, steep)
        cover = max(cover, line * shown)
    return cover


@compiled
def mucosa_at(
    mucosa: Mucosa, point: Vector, normal: Vector, footprint: float, vascular: float
) -> tuple[Vector, Vector]:
    """Albedo (linear RGB) and slope of the relief of the wall.

    ``vascular`` is the share of the vessels that show: a lesion hides those beneath it.
    """
    blotch, _ = gradient_noise(scaled(point, mucosa.mottle_rate))
    blotch += 0.5 * value_noise(scaled(point, 4.0 * mucosa.mottle_rate))
    warm = math.exp(-mucosa.mottle * blotch)
    albedo = (
        mucosa.red * (1.0 + 0.12 * (warm - 1.0)),
        mucosa.green * warm,
        mucosa.blue * warm,
    )
    if mucosa.vessel * vascular > 0.0:
        cover = (
            mucosa.vessel
            * vascular
            * vessel_cover(point, normal, mucosa.vessel_rate, mucosa.vessel_width, footprint)
        )
        venous = mucosa.vessel_blue
        blood = (0.72 - 0.35 * venous, 0.38, 0.42 + 0.35 * venous)
        albedo = blend(albedo, times(albedo, blood), cover)
    if mucosa.shade > 0.0:
        side = -(normal[0] * mucosa.shade_x + normal[1] * mucosa.shade_y) + 0.5 * blotch
        bluish = (0.52 * albedo[0], 0.85 * albedo[1], 1.3 * albedo[2] + 0.02)
        albedo = blend(albedo, bluish, mucosa.shade * smooth_step(0.1, 0.7, side))
    slope = (0.0, 0.0, 0.0)
    for octave in range(2):
        f = mucosa.relief_rate * (1.0 + 1.9 * octave)
        share = mucosa.relief * resolved(f, footprint) * (1.0 - 0.3 * octave)
        if share > 0.0:
            n, gradient = gradient_noise(scaled(point, f))
            slope = ahead(slope, gradient, share)
            pale = 1.0 + 0.3 * share * n
            albedo = times(albedo, (1.0, pale, pale))
    if mucosa.villi > 0.0:
        return _villous(mucosa, point, albedo, slope, footprint)
    return albedo, slope


@compiled
def _villous(
    mucosa: Mucosa, point: Vector, albedo: Vector, slope: Vector, footprint: float
) -> tuple[Vector, Vector]:
    """Velvet of the ileum: packed villi, darker between their tips."""
    rate = 13.0
    share = mucosa.villi * resolved(rate, footprint)
    if share > 0.0:
        d, away = cell_noise(scaled(point, rate))
        slope = ahead(slope, away, -1.6 * share)
        dark = 1.0 - share * 0.45 * smooth_step(0.1, 0.5, d)
        albedo = times(albedo, (0.4 + 0.6 * dark, dark, dark))
    return albedo, slope


@compiled
def soil_cover(mucosa: Mucosa, point: Vector, footprint: float) -> float:
    """Opacity of stool and of yellow residue on the wall, 0 where it is clean."""
    cover = 0.0
    x, y, z = point
    if mucosa.stool > 0.0:
        n, _ = gradient_noise((0.8 * x + 91.0, 0.8 * y, 0.8 * z))
        m, _ = gradient_noise((3.1 * x, 3.1 * y + 47.0, 3.1 * z))
        k = value_noise(scaled(point, 9.0))
        level = 0.75 * (1.0 - mucosa.stool) - 0.2
        cover = smooth_step(0.0, 0.14, n + 0.4 * m + 0.12 * k - level)
    if mucosa.flecks > 0.0:
        n, _ = gradient_noise((0.7 * x, 0.7 * y + 29.0, 0.7 * z))
        patch = smooth_step(-0.05, 0.3, n)
        if patch > 0.0:
            d, _ = cell_noise(scaled(point, 2.6))
            k = value_noise((5.0 * x + 13.0, 5.0 * y, 5.0 * z))
            size = 0.3 * mucosa.flecks * (0.6 + k) * patch
            cover = max(cover, smooth_step(0.0, 0.06 + 2.0 * footprint, size - math.sqrt(d)))
    return cover
