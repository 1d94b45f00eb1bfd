"""Any of the four scenes behind one pair of functions: distance, and looks of a surface."""

from typing import Any

from endoalign.world.ent.compiled import compiled
from endoalign.world.ent.ear_shape import ear_distance
from endoalign.world.ent.ear_surface import ear_surface
from endoalign.world.ent.larynx_shape import larynx_distance
from endoalign.world.ent.larynx_surface import larynx_surface
from endoalign.world.ent.nose_kernel import nose_distance, nose_surface
from endoalign.world.ent.solids import Surface
from endoalign.world.ent.throat_kernel import throat_distance, throat_surface
from endoalign.world.renderer.vectors import Vector, unit


@compiled
def distance(site: int, ear: Any, nose: Any, larynx: Any, throat: Any, p: Vector) -> float:
    """Distance to the surface of scene ``site``: 0 nose, 1 ear, 2 larynx, 3 throat."""
    if site == 0:
        return nose_distance(nose, p[0], p[1], p[2])
    if site == 1:
        return ear_distance(ear, p[0], p[1], p[2])
    if site == 2:
        return larynx_distance(larynx, p[0], p[1], p[2])
    return throat_distance(throat, p[0], p[1], p[2])


@compiled
def looks(site: int, ear: Any, nose: Any, larynx: Any, throat: Any, p: Vector) -> Surface:
    """What the surface of scene ``site`` looks like at a point."""
    if site == 0:
        return nose_surface(nose, p[0], p[1], p[2])
    if site == 1:
        return ear_surface(ear, p[0], p[1], p[2])
    if site == 2:
        return larynx_surface(larynx, p[0], p[1], p[2])
    return throat_surface(throat, p[0], p[1], p[2])


@compiled
def normal_at(site: int, ear: Any, nose: Any, larynx: Any, throat: Any, p: Vector) -> Vector:
    """Unit normal into the free space, from four distances around the point."""
    e = 0.006
    a = distance(site, ear, nose, larynx, throat, (p[0] + e, p[1] - e, p[2] - e))
    b = distance(site, ear, nose, larynx, throat, (p[0] - e, p[1] - e, p[2] + e))
    c = distance(site, ear, nose, larynx, throat, (p[0] - e, p[1] + e, p[2] - e))
    d = distance(site, ear, nose, larynx, throat, (p[0] + e, p[1] + e, p[2] + e))
    return unit((a - b - c + d, -a - b + c + d, -a + b - c + d))
