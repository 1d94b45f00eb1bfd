"""The compiled loop over pixels: start rays together, trace, and sample edges more finely."""

from typing import Any

import numpy as np
import numpy.typing as npt

from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.lens import pixel_ray
from endoalign.world.renderer.march import free_cone
from endoalign.world.renderer.scene import Camera, FloatArray, Mucosa, Tool, Wall
from endoalign.world.renderer.shade import seen

BLOCK = 4
"""Pixels of a square that share the start of their rays."""
EDGE = 0.12
"""Second difference of depth, over the depth, from which on a pixel counts as an edge."""
_EXTRA = ((0.2, 0.75), (0.8, 0.25))
"""Places in an edge pixel (right, down) of its further samples."""

FloatImage = npt.NDArray[np.float32]


@compiled
def _starts(
    wall: Wall, lesions: FloatArray, tool: Tool, camera: Camera, height: int, width: int
) -> FloatArray:
    """Distance up to which all rays of each block of pixels are free."""
    spread = 2.0 * camera.half_view / height
    eye = (camera.x, camera.y, camera.z)
    free = np.empty(((height + BLOCK - 1) // BLOCK, (width + BLOCK - 1) // BLOCK))
    for row in range(free.shape[0]):
        for column in range(free.shape[1]):
            ray = pixel_ray(camera, (column + 0.5) * BLOCK, (row + 0.5) * BLOCK, height, width)
            free[row, column] = free_cone(wall, lesions, tool, eye, ray, BLOCK * spread)
    return free


@compiled
def _is_edge(depth: Any, mask: Any, row: int, column: int) -> bool:
    if mask[row, column] != mask[row, column - 1] or mask[row, column] != mask[row - 1, column]:
        return True
    t = depth[row, column]
    across = abs(depth[row, column - 1] + depth[row, column + 1] - 2.0 * t)
    down = abs(depth[row - 1, column] + depth[row + 1, column] - 2.0 * t)
    return bool(max(across, down) > EDGE * t)


@compiled
def _render(
    wall: Wall,
    lesions: FloatArray,
    tool: Tool,
    mucosa: Mucosa,
    camera: Camera,
    content: Any,
    image: Any,
    depth: Any,
    mask: Any,
) -> None:
    height, width = depth.shape
    spread = 2.0 * camera.half_view / height
    free = _starts(wall, lesions, tool, camera, height, width)
    for row in range(height):
        for column in range(width):
            if content[row, column]:
                ray = pixel_ray(camera, column + 0.5, row + 0.5, height, width)
                start = free[row // BLOCK, column // BLOCK]
                light, t, owner = seen(wall, lesions, tool, mucosa, camera, ray, start, spread)
                for channel in range(3):
                    image[row, column, channel] = light[channel]
                depth[row, column], mask[row, column] = t, owner
    for row in range(1, height - 1):
        for column in range(1, width - 1):
            if not content[row, column] or not _is_edge(depth, mask, row, column):
                continue
            start = free[row // BLOCK, column // BLOCK]
            for right, down in _EXTRA:
                ray = pixel_ray(camera, column + right, row + down, height, width)
                light, _, _ = seen(wall, lesions, tool, mucosa, camera, ray, start, spread)
                for channel in range(3):
                    image[row, column, channel] += light[channel]
            for channel in range(3):
                image[row, column, channel] /= 1.0 + len(_EXTRA)


def render_scene(
    wall: Wall,
    lesions: FloatArray,
    tool: Tool,
    mucosa: Mucosa,
    camera: Camera,
    content: npt.NDArray[np.bool_],
) -> tuple[FloatImage, FloatImage, npt.NDArray[np.uint8]]:
    """Linear radiance (H, W, 3), depth along the ray in cm (H, W) and lesion numbers (H, W).

    Pixels outside ``content`` stay 0. Lesion k of ``lesions`` has number k + 1 in the mask.
    """
    height, width = content.shape
    image = np.zeros((height, width, 3), np.float32)
    depth = np.zeros((height, width), np.float32)
    mask = np.zeros((height, width), np.uint8)
    _render(wall, lesions, tool, mucosa, camera, content, image, depth, mask)
    return image, depth, mask
