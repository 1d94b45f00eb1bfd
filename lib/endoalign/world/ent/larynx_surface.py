"""What the larynx looks like, at a point of its surface."""

import math

from endoalign.world.ent.compiled import compiled
from endoalign.world.ent.larynx import Larynx
from endoalign.world.ent.larynx_shape import (
    arytenoid_distance,
    beside_gap,
    cord_width,
    epiglottis_distance,
    growth_distance,
    wall_distance,
)
from endoalign.world.ent.solids import Surface, bell, vessels
from endoalign.world.renderer.noise import gradient_noise
from endoalign.world.renderer.vectors import Vector, blend, scaled, smooth_step


@compiled
def larynx_surface(larynx: Larynx, x: float, y: float, z: float) -> Surface:
    """What the larynx looks like at a point of its surface."""
    if growth_distance(larynx, x, y, z) < wall_distance(larynx, x, y, z):
        if larynx.polyp > 0.0:
            return blend((0.8, 0.6, 0.52), (0.7, 0.18, 0.16), larynx.polyp_red), 1.2, 0.0, 0.08
        return (0.93, 0.82, 0.76), 0.9, 0.0, 0.04
    mottle, _ = gradient_noise((2.6 * x, 2.6 * y, 2.6 * z + larynx.noise))
    colour = scaled((larynx.red, larynx.green, larynx.blue), 1.0 + 0.25 * mottle)
    lid = smooth_step(0.12, 0.0, epiglottis_distance(larynx, x, y, z))
    colour = blend(colour, (0.86, 0.66, 0.52), 0.6 * lid)
    net = vessels((x, y, z + larynx.noise), 8.0, 0.1)
    colour = blend(colour, (0.58, 0.1, 0.1), (0.18 + 0.3 * larynx.erythema) * net)
    if z > larynx.level + 0.12:
        return _trachea(larynx, y, z, colour)
    raised = smooth_step(0.14, 0.05, arytenoid_distance(larynx, x, y, z))
    colour = blend(colour, (0.78, 0.2, 0.17), larynx.erythema * (0.4 + 0.3 * raised))
    return _cords(larynx, x, y, colour, max(raised, lid))


@compiled
def _cords(larynx: Larynx, x: float, y: float, colour: Vector, hidden: float) -> Surface:
    """The two pale bands beside the gap, from the commissure to the vocal processes."""
    past = beside_gap(larynx, x, y) - cord_width(larynx, y)
    band = smooth_step(0.03, -0.02, past) * (1.0 - hidden)
    band *= smooth_step(larynx.back - 0.16, larynx.back + 0.02, y)
    band *= smooth_step(larynx.front + 0.1, larynx.front - 0.02, y)
    pale = scaled((0.97, 0.92, 0.86), larynx.pearl)
    pale = blend(pale, (0.86, 0.72, 0.66), 0.75 * larynx.oedema)
    pale = blend(pale, (0.82, 0.3, 0.25), 0.85 * larynx.erythema)
    streak = vessels((2.5 * x, 0.6 * y, larynx.noise), 4.0, 0.06)
    pale = blend(pale, (0.7, 0.2, 0.18), (0.15 + 0.4 * larynx.erythema) * streak)
    fold = bell(past - 0.03, 0.04) * smooth_step(larynx.back, larynx.back + 0.2, y)
    dark = 1.0 - 0.45 * fold * (1.0 - 0.5 * larynx.oedema) * (1.0 - hidden)
    colour = scaled(blend(colour, pale, band), dark)
    return colour, 0.9, 0.0, 0.12 * (1.0 - 0.7 * band)


@compiled
def _trachea(larynx: Larynx, y: float, z: float, colour: Vector) -> Surface:
    """The rings of the trachea, which fade into the dark."""
    ring = 0.5 + 0.5 * math.sin(7.0 * z + 1.5 * y)
    colour = blend(colour, (0.88, 0.7, 0.62), larynx.rings * ring)
    return scaled(colour, 0.6 * smooth_step(3.2, 0.0, z - larynx.level)), 0.0, 0.0, 0.0
