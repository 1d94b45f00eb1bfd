"""Sphere tracing of the scene's distance: hit, normal, openness."""

import math

from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.distance import scene_distance
from endoalign.world.renderer.scene import FloatArray, Tool, Wall
from endoalign.world.renderer.vectors import Vector, ahead

FAR: float = 30.0
"""Rays end here (cm): the light of an endoscope does not reach further."""
NEAR: float = 0.02
"""Rays start here (cm), in front of the lens."""
_CAUTION = 0.85
"""Share of the distance that a step takes: folds and heads bend the field a little."""


@compiled
def _distance(wall: Wall, lesions: FloatArray, tool: Tool, point: Vector) -> float:
    return scene_distance(wall, lesions, tool, point[0], point[1], point[2])


@compiled
def trace(
    wall: Wall,
    lesions: FloatArray,
    tool: Tool,
    eye: Vector,
    ray: Vector,
    start: float,
    spread: float,
) -> float:
    """Distance along a ray to the first surface (cm), `FAR` where there is none.

    The ray is known to be free up to ``start``. ``spread`` is the angle of a pixel: the ray stops
    when it is within a quarter of a pixel.
    """
    t, step = start, 0.0
    for _ in range(72):
        d = _distance(wall, lesions, tool, ahead(eye, ray, t))
        if d < 0.25 * spread * t + 0.0008:
            if d < 0.0:
                t -= 0.5 * min(step, -d)
            return max(t, NEAR)
        step = _CAUTION * d
        t += step
        if t > FAR:
            return FAR
    return t


@compiled
def free_cone(
    wall: Wall, lesions: FloatArray, tool: Tool, eye: Vector, ray: Vector, angle: float
) -> float:
    """Distance (cm) up to which every ray within ``angle`` of this one meets nothing."""
    t = NEAR
    for _ in range(40):
        step = _CAUTION * _distance(wall, lesions, tool, ahead(eye, ray, t)) - angle * t
        if step < 0.02 * t:
            break
        t += step / (1.0 + angle)
    return min(t, FAR)


@compiled
def normal_at(wall: Wall, lesions: FloatArray, tool: Tool, point: Vector, eps: float) -> Vector:
    """Unit normal into the lumen, from four distances ``eps`` around the point."""
    x, y, z = point
    a = scene_distance(wall, lesions, tool, x + eps, y - eps, z - eps)
    b = scene_distance(wall, lesions, tool, x - eps, y - eps, z + eps)
    c = scene_distance(wall, lesions, tool, x - eps, y + eps, z - eps)
    d = scene_distance(wall, lesions, tool, x + eps, y + eps, z + eps)
    nx, ny, nz = a - b - c + d, -a - b + c + d, -a + b - c + d
    size = math.sqrt(nx * nx + ny * ny + nz * nz) + 1e-12
    return nx / size, ny / size, nz / size


@compiled
def openness(wall: Wall, lesions: FloatArray, tool: Tool, point: Vector, normal: Vector) -> float:
    """Ambient light that reaches a point: 1 on a plain wall, lower in creases."""
    reach = 0.25
    d = _distance(wall, lesions, tool, ahead(point, normal, reach))
    return min(max(d / reach, 0.1), 1.0)
