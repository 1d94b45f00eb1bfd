"""The shape of the larynx as compiled code reads it: depths, a gap, and growths."""

import math
from typing import Final

from endoalign.world.ent.compiled import compiled
from endoalign.world.ent.larynx import Larynx
from endoalign.world.ent.solids import bell, ellipsoid, smooth_union
from endoalign.world.renderer.noise import value_noise
from endoalign.world.renderer.vectors import smooth_step

_TRACHEA: Final = 3.5
"""How far the trachea is seen below the cords."""


@compiled
def beside_gap(larynx: Larynx, x: float, y: float) -> float:
    """Distance in the plane of the cords to the edge of the glottis; negative in the gap."""
    side = abs(x)
    share = (larynx.front - y) / (larynx.front - larynx.back)
    if share <= 0.0:
        return math.sqrt(side * side + (y - larynx.front) ** 2)
    width = larynx.gap * math.exp(larynx.gap_curve * math.log(min(share, 1.0)))
    width -= 0.05 * larynx.oedema * math.sin(3.1416 * min(share, 1.0))
    if share >= 1.0:  # between the arytenoids the gap ends in an arch
        below = larynx.back - y
        return math.sqrt(max(side - 0.55 * width, 0.0) ** 2 + below * below) - 0.45 * width
    return side - width


@compiled
def cord_width(larynx: Larynx, y: float) -> float:
    """Width of a cord, which tapers towards the front."""
    share = (larynx.front - y) / (larynx.front - larynx.back)
    return larynx.cord * (0.6 + 0.5 * min(max(share, 0.0), 1.0))


@compiled
def _floor(larynx: Larynx, x: float, y: float, beside: float) -> float:
    """Depth z of the larynx at a place ``beside`` the glottis, as if that were shut."""
    beside = max(beside, 0.0)
    r = math.sqrt(x * x + 0.8 * y * y)
    z = larynx.level - 0.06 * larynx.oedema * bell(beside - 0.1, 0.1)
    past = beside - cord_width(larynx, y)
    z += 0.03 * smooth_step(0.03, 0.0, beside)
    z += larynx.ventricle * bell(past, 0.05)
    z -= larynx.vestibular * smooth_step(0.02, 0.22, past)
    z += 0.12 * bell(past - 0.36, 0.08)
    z -= 0.55 * smooth_step(0.5 * larynx.rim, larynx.rim, r)
    z += 1.1 * smooth_step(larynx.rim + 0.02, larynx.rim + 0.4, r) * smooth_step(1.0, 0.4, abs(y))
    z -= 1.7 * smooth_step(larynx.rim + 0.42, larynx.rim + 1.1, r)
    return z


@compiled
def arytenoid_distance(larynx: Larynx, x: float, y: float, z: float) -> float:
    """Distance to the arytenoids and the cuneiform bumps beside them."""
    a, side = larynx.arytenoid, abs(x)
    body = ellipsoid(
        side - larynx.arytenoid_x,
        y - larynx.back + 0.3,
        z - larynx.level + 0.5,
        a,
        a,
        1.6 * a,
    )
    horn = ellipsoid(
        side - larynx.arytenoid_x - 0.24,
        y - larynx.back + 0.18,
        z - larynx.level + 0.55,
        0.6 * a,
        0.6 * a,
        a,
    )
    return smooth_union(body, horn, 0.1)


@compiled
def epiglottis_distance(larynx: Larynx, x: float, y: float, z: float) -> float:
    """Distance to the leaf of the epiglottis."""
    curl = larynx.omega * x * x
    return ellipsoid(
        x,
        y - larynx.epiglottis_y + curl - 0.25 * (larynx.level - larynx.epiglottis - z),
        z - larynx.level + larynx.epiglottis - 0.15,
        0.6,
        0.1,
        0.5,
    )


@compiled
def growth_distance(larynx: Larynx, x: float, y: float, z: float) -> float:
    """Distance to a polyp of one cord or to the nodules of both; far where there are none."""
    if larynx.polyp > 0.0:
        share = (larynx.front - larynx.polyp_y) / (larynx.front - larynx.back)
        edge, r = larynx.polyp_side * larynx.gap * share, larynx.polyp
        lumps = 0.12 * r * value_noise((9.0 * x, 9.0 * y + larynx.noise, 9.0 * z))
        return (
            ellipsoid(x - edge, y - larynx.polyp_y, z - larynx.level, r, 1.3 * r, 0.8 * r) - lumps
        )
    if larynx.nodule > 0.0:
        share = (larynx.front - larynx.nodule_y) / (larynx.front - larynx.back)
        side, r = abs(x) - larynx.gap * share - 0.01, larynx.nodule
        return ellipsoid(side, y - larynx.nodule_y, z - larynx.level, r, 1.2 * r, 0.9 * r)
    return 9.0


@compiled
def wall_distance(larynx: Larynx, x: float, y: float, z: float) -> float:
    """Distance to all but growths."""
    beside = beside_gap(larynx, x, y)
    floor = 0.42 * (_floor(larynx, x, y, beside) - z)
    if floor < 0.3:
        floor += 0.02 * value_noise((3.0 * x, 3.0 * y, larynx.noise))
    below = z - larynx.level
    if below > -0.4:  # the airway goes on through the gap and widens into the trachea
        airway = 0.22 * smooth_step(0.05, 0.8, below) - beside
        floor = -smooth_union(-floor, -min(0.8 * airway, _TRACHEA - below), 0.05)
    soft = smooth_union(floor, arytenoid_distance(larynx, x, y, z), 0.15)
    return smooth_union(soft, 0.8 * epiglottis_distance(larynx, x, y, z), 0.12)


@compiled
def larynx_distance(larynx: Larynx, x: float, y: float, z: float) -> float:
    """Distance to the nearest surface of the larynx; positive in the airway."""
    return min(wall_distance(larynx, x, y, z), growth_distance(larynx, x, y, z))
