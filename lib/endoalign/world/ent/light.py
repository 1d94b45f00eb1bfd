"""Light of the scope on wet tissue: one lamp beside the lens, and a little from all around."""

import math
from typing import Final

from endoalign.world.ent.compiled import compiled
from endoalign.world.ent.sight import Sight
from endoalign.world.ent.solids import Surface
from endoalign.world.renderer.noise import gradient_noise
from endoalign.world.renderer.vectors import Vector, ahead, dot, minus, scaled, unit

_SHINE: Final = 260.0
"""Exponent of the highlight on the wet film."""


@compiled
def lit(sight: Sight, p: Vector, normal: Vector, looks: Surface, open_share: float) -> Vector:
    """Radiance towards the lens."""
    albedo, gloss, glow, slope = looks
    _, bump = gradient_noise(scaled(p, 7.0))
    relief = unit(ahead(normal, bump, -slope))
    view = unit(minus((sight.x, sight.y, sight.z), p))
    way = minus((sight.x + sight.light_x, sight.y + sight.light_y, sight.z), p)
    far = math.sqrt(dot(way, way)) + 1e-6
    way = scaled(way, 1.0 / far)
    power = 1.0 / (0.15 + math.exp(sight.falloff * math.log(far)))
    facing = dot(relief, way)
    shade = 0.3 + 0.7 * open_share
    red = power * max((facing + 0.3) / 1.3, 0.0) * math.sqrt(shade)
    other = power * max((facing + 0.12) / 1.12, 0.0) * shade
    half = max(dot(relief, unit(ahead(way, view, 1.0))), 1e-6)
    spot = 0.9 * gloss * power * math.exp(_SHINE * math.log(half)) + 0.75 * glow * power
    dim = sight.ambient * open_share / (0.4 + 0.3 * far)
    return (
        albedo[0] * (red + dim) + spot,
        albedo[1] * (other + dim) + spot,
        albedo[2] * (other + dim) + spot,
    )
