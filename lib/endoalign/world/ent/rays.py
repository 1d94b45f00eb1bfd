"""One ray: how far it is free, where it ends, and the light that comes back along it."""

import math
from typing import Any, Final

from endoalign.world.ent.compiled import compiled
from endoalign.world.ent.light import lit
from endoalign.world.ent.sight import Sight
from endoalign.world.ent.sites import distance, looks, normal_at
from endoalign.world.renderer.vectors import Vector, ahead

FAR: Final = 9.0
_NEAR: Final = 0.03
_STEPS: Final = 48
_STRETCH: Final = 1.5
"""Steps are longer than the free distance, as long as two free spheres in a row overlap."""


@compiled
def pixel_ray(sight: Sight, row: float, column: float, height: int, width: int) -> Vector:
    """Unit direction in the scene of a place in the picture (pixels from its upper left)."""
    x = (column - 0.5 * width) / (0.5 * height)
    y = (0.5 * height - row) / (0.5 * height)
    r = math.sqrt(x * x + y * y) + 1e-12
    side, deep = math.sin(sight.half_view * r) / r, math.cos(sight.half_view * r)
    cx, cy, m = x * side, y * side, sight.rotation
    return (
        cx * m[0, 0] + cy * m[1, 0] + deep * m[2, 0],
        cx * m[0, 1] + cy * m[1, 1] + deep * m[2, 1],
        cx * m[0, 2] + cy * m[1, 2] + deep * m[2, 2],
    )


@compiled
def free_cone(
    site: int, ear: Any, nose: Any, larynx: Any, throat: Any, eye: Vector, ray: Vector, angle: float
) -> float:
    """Distance up to which every ray within ``angle`` of this one meets nothing."""
    t = _NEAR
    for _ in range(_STEPS):
        step = 0.9 * distance(site, ear, nose, larynx, throat, ahead(eye, ray, t)) - angle * t
        if step < 0.03 * t or t > FAR:
            break
        t += step / (1.0 + angle)
    return min(t, FAR)


@compiled
def seen(
    site: int,
    ear: Any,
    nose: Any,
    larynx: Any,
    throat: Any,
    sight: Sight,
    ray: Vector,
    start: float,
    spread: float,
) -> tuple[Vector, float]:
    """Radiance that comes back along a ray known to be free up to ``start``, and its length."""
    eye = (sight.x, sight.y, sight.z)
    t, step, last, stretch = start, 0.0, 0.0, _STRETCH
    for _ in range(_STEPS):
        d = distance(site, ear, nose, larynx, throat, ahead(eye, ray, t))
        if stretch > 1.0 and d + last < step:  # the long step may have passed a surface
            t += last - step
            stretch, step = 1.0, 0.0
            continue
        if d < 0.35 * spread * t or t > FAR:
            break
        last, step = d, stretch * d
        t += step
    p = ahead(eye, ray, t)
    normal = normal_at(site, ear, nose, larynx, throat, p)
    room = distance(site, ear, nose, larynx, throat, ahead(p, normal, 0.2)) / 0.2
    surface = looks(site, ear, nose, larynx, throat, p)
    return lit(sight, p, normal, surface, min(max(room, 0.1), 1.0)), t
