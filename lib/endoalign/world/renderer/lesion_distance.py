"""Signed distance to one lesion, in its own frame: u, v along the wall, w into the lumen.

A protruding lesion is an ellipsoid head with clefts, bumps and defects cut by direction, on a
stalk where it has one. A flat elevated lesion is a plateau raised from the wall it lies on, so
that it follows folds and curvature.
"""

import math
from typing import Any

from endoalign.world.renderer.compiled import compiled


@compiled
def _outline(lesion: Any, cos: float, sin: float) -> float:
    """Relative radius of the outline at an angle, from its harmonics 2, 3 and 5."""
    c2, s2 = cos * cos - sin * sin, 2.0 * cos * sin
    c3, s3 = c2 * cos - s2 * sin, s2 * cos + c2 * sin
    c5, s5 = c2 * c3 - s2 * s3, s2 * c3 + c2 * s3
    return (
        1.0
        + (lesion.c2 * c2 + lesion.s2 * s2)
        + (lesion.c3 * c3 + lesion.s3 * s3)
        + (lesion.c5 * c5 + lesion.s5 * s5)
    )


@compiled
def _dip(cosine: float, width: float) -> float:
    """Smooth bowl of angular half width ``width`` (radians) around a direction, 1 in its middle."""
    h = 1.0 - (1.0 - cosine) * 2.0 / (width * width)
    return h * h * (3.0 - 2.0 * h) if h > 0.0 else 0.0


@compiled
def surface_offset(lesion: Any, x: float, y: float, z: float) -> float:
    """How far the surface lies above the plain head in the unit direction (x, y, z), in radii."""
    offset = 0.0
    count = int(lesion.lobe_count)
    if count > 1:
        best, second, dome = -2.0, -2.0, 0.0
        for i in range(count):
            a = x * lesion.lobes[i, 0] + y * lesion.lobes[i, 1] + z * lesion.lobes[i, 2]
            dome = max(dome, lesion.lobes[i, 3] * _dip(a, 0.75))
            if a > best:
                best, second = a, best
            elif a > second:
                second = a
        offset += lesion.nodules * dome
        cleft = (best - second) * 4.0
        offset -= lesion.lobulation / (1.0 + cleft * cleft)
    if lesion.dent > 0.0:
        offset -= lesion.dent * _dip(z, 0.8)
    if lesion.ulcer > 0.0:
        a = x * lesion.ulcer_x + y * lesion.ulcer_y + z * lesion.ulcer_z
        offset -= lesion.ulcer_depth * min(1.0, 2.0 * _dip(a, lesion.ulcer))
    return offset


@compiled
def local_point(lesion: Any, x: float, y: float, z: float) -> tuple[float, float, float]:
    """World point in the lesion's frame (cm)."""
    x, y, z = x - lesion.x, y - lesion.y, z - lesion.z
    return (
        x * lesion.ux + y * lesion.uy + z * lesion.uz,
        x * lesion.vx + y * lesion.vy + z * lesion.vz,
        x * lesion.wx + y * lesion.wy + z * lesion.wz,
    )


@compiled
def _lean_share(lesion: Any, w: float) -> float:
    """Share of the lean reached at height ``w``: the stalk bends, the head stays whole."""
    neck = max(lesion.rise - 0.8 * lesion.height, 0.3 * lesion.radius)
    return min(max(w / neck, 0.0), 1.0)


@compiled
def head_direction(
    lesion: Any, u: float, v: float, w: float
) -> tuple[float, float, float, float, float]:
    """Unit direction from the head's centre, radius in heads, and the outline's factor."""
    share = _lean_share(lesion, w)
    u -= lesion.lean_u * share
    v -= lesion.lean_v * share
    flat = math.sqrt(u * u + v * v) + 1e-9
    factor = _outline(lesion, u / flat, v / flat)
    x = u / (lesion.radius * factor)
    y = v / (lesion.radius * lesion.aspect * factor)
    z = (w - lesion.rise) / lesion.height
    if lesion.plateau > 0.5:
        z = 0.0
    k = math.sqrt(x * x + y * y + z * z) + 1e-9
    return x / k, y / k, z / k, k, factor


@compiled
def _head(lesion: Any, u: float, v: float, w: float) -> float:
    x, y, z, k, factor = head_direction(lesion, u, v, w)
    a, b, c = lesion.radius * factor, lesion.radius * lesion.aspect * factor, lesion.height
    slope = k * math.sqrt((x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2)
    d = k * (k - 1.0) / slope - lesion.radius * surface_offset(lesion, x, y, z)
    if lesion.stalk > 0.5:
        foot = -0.5 * lesion.radius
        h = min(max((w - foot) / (lesion.rise - foot), 0.0), 1.0)
        share = _lean_share(lesion, foot + h * (lesion.rise - foot))
        su, sv = u - lesion.lean_u * share, v - lesion.lean_v * share
        sw = w - foot - h * (lesion.rise - foot)
        stalk = math.sqrt(su * su + sv * sv + sw * sw) - lesion.stalk_radius * (1.15 - 0.2 * h)
        blend = 0.3 * lesion.radius
        gap = max(blend - abs(d - stalk), 0.0)
        d = min(d, stalk) - gap * gap * 0.25 / blend
    return d


@compiled
def plateau_point(lesion: Any, u: float, v: float) -> tuple[float, float, float]:
    """Position on a flat lesion in radii (x, y), and distance from its middle in outlines."""
    flat = math.sqrt(u * u + v * v) + 1e-9
    factor = _outline(lesion, u / flat, v / flat)
    x, y = u / (lesion.radius * factor), v / (lesion.radius * lesion.aspect * factor)
    return x, y, math.sqrt(x * x + y * y)


@compiled
def lesion_distance(lesion: Any, wall: float, x: float, y: float, z: float) -> tuple[float, float]:
    """Distance to the lesion (a record of `LESION_DTYPE`), and how far inside its outline (cm).

    ``wall`` is the distance to the bare wall at the same point. The second value is positive on
    the lesion and negative on the mucosa around it.
    """
    u, v, w = local_point(lesion, x, y, z)
    away = math.sqrt(u * u + v * v + w * w)
    if away - 0.7 * lesion.bound > min(0.3 * lesion.bound, wall + lesion.blend):
        return away - 0.7 * lesion.bound, -away
    if lesion.plateau < 0.5:
        d = 0.8 * _head(lesion, u, v, w)
        return d, wall - d
    px, py, rho = plateau_point(lesion, u, v)
    edge = 0.12 + 2.0 * lesion.blend / lesion.radius
    h = min(max((1.0 + 0.3 * edge - rho) / edge, 0.0), 1.0)
    if h == 0.0:
        return max(wall, 0.3 * lesion.radius), (1.0 - rho) * lesion.radius
    rise = h * h * (3.0 - 2.0 * h)
    top = math.sqrt(max(1.0 - rho * rho * 0.5, 0.1))
    bumps = surface_offset(lesion, px * 0.8, py * 0.8, top)
    d = wall - rise * (lesion.height + lesion.radius * 0.5 * bumps)
    return 0.6 * d, (1.0 - rho) * lesion.radius
