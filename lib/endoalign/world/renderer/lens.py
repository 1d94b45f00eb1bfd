"""The wide-angle lens: which ray a pixel sees.

Equidistant projection with a cubic term: the angle from the axis is
``half_view * r * (1 + distortion * (r**2 - 1))`` for a pixel at radius ``r``, 1 at the upper edge.
"""

import math

import numpy as np

from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.scene import Camera, FloatArray
from endoalign.world.renderer.vectors import Vector


@compiled
def pixel_ray(camera: Camera, px: float, py: float, height: int, width: int) -> Vector:
    """Unit direction in the scene of the pixel position (px right, py down, in pixels)."""
    x = (px - 0.5 * width) / (0.5 * height)
    y = (0.5 * height - py) / (0.5 * height)
    r = math.sqrt(x * x + y * y) + 1e-12
    angle = camera.half_view * r * (1.0 + camera.distortion * (r * r - 1.0))
    side, deep = math.sin(angle) / r, math.cos(angle)
    cx, cy = x * side, y * side
    m = camera.rotation
    return (
        cx * m[0, 0] + cy * m[1, 0] + deep * m[2, 0],
        cx * m[0, 1] + cy * m[1, 1] + deep * m[2, 1],
        cx * m[0, 2] + cy * m[1, 2] + deep * m[2, 2],
    )


def frame_rays(camera: Camera, height: int, width: int) -> FloatArray:
    """Unit directions of all pixel centres: (height, width, 3)."""
    rays = [
        pixel_ray(camera, column + 0.5, row + 0.5, height, width)
        for row in range(height)
        for column in range(width)
    ]
    return np.array(rays).reshape(height, width, 3)


def rotation_towards(forward: FloatArray, up: FloatArray, roll: float) -> FloatArray:
    """Rows right, up, forward of a camera that looks along ``forward``, turned by ``roll``."""
    forward = forward / np.linalg.norm(forward)
    right = np.cross(up, forward)
    right = right / np.linalg.norm(right)
    above = np.cross(forward, right)
    cos, sin = np.cos(roll), np.sin(roll)
    return np.stack([cos * right + sin * above, cos * above - sin * right, forward])
