"""The throat as compiled code reads it: distance to its surfaces, and their looks."""

import math

from endoalign.world.ent.compiled import compiled
from endoalign.world.ent.solids import Surface, bell, ellipsoid, segment, smooth_union, vessels
from endoalign.world.ent.throat import Throat
from endoalign.world.renderer.noise import cell_noise, gradient_noise, value_noise
from endoalign.world.renderer.vectors import Vector, blend, scaled, smooth_step


@compiled
def _curtain(x: float, y: float, z: float, half: float, top: float, at: float) -> float:
    """Distance to a wall at depth ``at`` with an arched opening: palate and a pair of pillars."""
    tall = 1.5
    a, b = x / half, (y - top + tall) / tall
    r = math.sqrt(a * a + b * b) + 1e-9
    inside = (1.0 - r) * half  # positive in the opening
    thick = abs(z - at) - 0.09
    out = math.sqrt(max(inside, 0.0) ** 2 + max(thick, 0.0) ** 2)
    return out + min(max(inside, thick), 0.0) - 0.07


@compiled
def _uvula(throat: Throat, x: float, y: float, z: float) -> float:
    top, tip = throat.arch_top + 0.05, throat.arch_top - throat.uvula
    away, along = segment(
        x, y, z, 0.0, top, throat.palate, throat.uvula_x, tip, throat.palate + 0.12
    )
    width = throat.uvula_width * (1.0 + 0.25 * throat.erythema)
    return away - width * (0.85 + 0.35 * along)


@compiled
def _tonsils(throat: Throat, x: float, y: float, z: float) -> float:
    r = throat.tonsil
    body = ellipsoid(
        abs(x) - throat.tonsil_out,
        y - throat.tonsil_y,
        z - throat.palate - 0.38,
        r,
        1.35 * r + 0.06,
        0.34,
    )
    if body > 0.15:
        return 0.85 * (body - 0.04)
    lumps = value_noise((6.0 * x + throat.noise, 6.0 * y, 6.0 * z))
    return 0.85 * (body - 0.04 * throat.pits * lumps)


@compiled
def _tongue(throat: Throat, x: float, y: float, z: float) -> float:
    groove = 0.06 * bell(x, 0.1)
    return ellipsoid(x, y - throat.tongue + 0.75 + groove, z - 0.9, 1.15, 0.75, 1.35)


@compiled
def _walls(throat: Throat, x: float, y: float, z: float) -> float:
    front = _curtain(x, y, z, throat.arch, throat.arch_top, throat.palate)
    inner = _curtain(x, y, z, throat.inner, throat.arch_top - 0.1, throat.palate + 0.75)
    soft = smooth_union(front, _uvula(throat, x, y, z), 0.12)
    mouth = 2.4 - math.sqrt(x * x + 0.9 * y * y)
    back = throat.wall - z
    return min(smooth_union(soft, mouth, 0.8), smooth_union(inner, back, 0.1))


@compiled
def throat_distance(throat: Throat, x: float, y: float, z: float) -> float:
    """Distance to the nearest surface of the throat; positive in the mouth."""
    soft = smooth_union(_walls(throat, x, y, z), _tonsils(throat, x, y, z), 0.04)
    return min(soft, _tongue(throat, x, y, z))


@compiled
def throat_surface(throat: Throat, x: float, y: float, z: float) -> Surface:
    """What the throat looks like at a point of its surface."""
    walls, tonsils = _walls(throat, x, y, z), _tonsils(throat, x, y, z)
    mottle, _ = gradient_noise((2.4 * x, 2.4 * y, 2.4 * z + throat.noise))
    colour = scaled((throat.red, throat.green, throat.blue), 1.0 + 0.25 * mottle)
    if _tongue(throat, x, y, z) < min(walls, tonsils):
        papillae, _ = cell_noise((14.0 * x, 14.0 * y, 14.0 * z))
        colour = blend(colour, (0.86, 0.74, 0.68), throat.coat * (0.8 - 1.2 * papillae))
        return scaled(colour, 0.85), 0.4, 0.0, 0.15
    colour = blend(colour, (0.74, 0.16, 0.14), 0.8 * throat.erythema)
    net = vessels((x, y, z + throat.noise), 8.0, 0.1)
    colour = blend(colour, (0.55, 0.08, 0.09), (0.18 + 0.3 * throat.erythema) * net)
    if tonsils < walls:
        return _tonsil_surface(throat, x, y, z, colour)
    if z > throat.wall - 0.25:
        grain, _ = cell_noise((7.0 * x, 7.0 * y, throat.noise))
        spot = throat.grains * smooth_step(0.12, 0.0, grain)
        return blend(colour, (0.88, 0.42, 0.34), spot), 0.6, 0.0, 0.06
    return colour, 0.8, 0.0, 0.1


@compiled
def _tonsil_surface(throat: Throat, x: float, y: float, z: float, colour: Vector) -> Surface:
    """Dark crypts, and the white patches of an exudate."""
    pit, _ = cell_noise((8.0 * x + throat.noise, 8.0 * y, 8.0 * z))
    colour = scaled(colour, 1.0 - 0.5 * throat.pits * smooth_step(0.05, 0.0, pit))
    if throat.exudate <= 0.0:
        return colour, 0.8, 0.0, 0.2
    patch, _ = gradient_noise((5.0 * x, 5.0 * y + throat.noise, 5.0 * z))
    white = smooth_step(0.32 - 0.5 * throat.exudate, 0.42 - 0.5 * throat.exudate, patch)
    creamy = blend((0.95, 0.93, 0.88), (0.92, 0.84, 0.5), throat.exudate_yellow)
    return blend(colour, creamy, 0.9 * white), 0.8 - 0.4 * white, 0.0, 0.2
