"""Signed distances of the solids that the ENT scenes are made of, and soft profiles.

Lengths have no unit: the radius of the passage that the camera looks into is about 1. The image's
right is +x, up is +y, and the camera looks along +z.
"""

import math

from endoalign.world.ent.compiled import compiled
from endoalign.world.renderer.noise import gradient_noise, value_noise
from endoalign.world.renderer.vectors import Vector, smooth_step

Surface = tuple[Vector, float, float, float]
"""Looks of a point: albedo, gloss, glow (light thrown straight back), slope of the fine relief."""


@compiled
def smooth_union(a: float, b: float, k: float) -> float:
    """Union of two distances that rounds the crease over about ``k``."""
    h = max(k - abs(a - b), 0.0)
    return min(a, b) - h * h * 0.25 / k


@compiled
def bell(x: float, width: float) -> float:
    """Smooth bump: 1 at 0, 0.37 at ``width``."""
    return math.exp(-(x / width) * (x / width))


@compiled
def ellipsoid(x: float, y: float, z: float, rx: float, ry: float, rz: float) -> float:
    """Distance to an ellipsoid about the origin (bound scaled by the gradient)."""
    a, b, c = x / rx, y / ry, z / rz
    near = math.sqrt(a * a + b * b + c * c)
    a, b, c = a / rx, b / ry, c / rz
    slope = math.sqrt(a * a + b * b + c * c) + 1e-9
    return near * (near - 1.0) / slope


@compiled
def segment(
    x: float, y: float, z: float, ax: float, ay: float, az: float, bx: float, by: float, bz: float
) -> tuple[float, float]:
    """Distance from a point to the segment a-b, and the share of the way along it (0 to 1)."""
    px, py, pz = x - ax, y - ay, z - az
    dx, dy, dz = bx - ax, by - ay, bz - az
    along = (px * dx + py * dy + pz * dz) / (dx * dx + dy * dy + dz * dz + 1e-9)
    along = min(max(along, 0.0), 1.0)
    px, py, pz = px - along * dx, py - along * dy, pz - along * dz
    return math.sqrt(px * px + py * py + pz * pz), along


@compiled
def vessels(point: Vector, rate: float, width: float) -> float:
    """Cover 0 to 1 of fine vessels: stretches of a noise's zero line, ``rate`` bends a length."""
    x, y, z = point
    value, (gx, gy, gz) = gradient_noise((x * rate, y * rate, z * rate))
    slope = math.sqrt(gx * gx + gy * gy + gz * gz)
    cover = 1.0 - smooth_step(0.3 * width, width, abs(value) / (slope + 0.4))
    if cover <= 0.0:
        return 0.0
    return cover * smooth_step(-0.35, 0.5, value_noise((1.7 * y, 1.7 * z, 1.7 * x)))
