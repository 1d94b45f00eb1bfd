"""The compiled loop over the pixels of an ENT picture."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from endoalign.world.ent.compiled import compiled
from endoalign.world.ent.ear import Ear
from endoalign.world.ent.larynx import Larynx
from endoalign.world.ent.nose import Nose
from endoalign.world.ent.rays import free_cone, pixel_ray, seen
from endoalign.world.ent.sight import Sight
from endoalign.world.ent.throat import Throat

BLOCK: Final = 4
"""Pixels of a square that share the start of their rays."""
_EDGE: Final = 0.1
"""Second difference of depth, over the depth, from which on a pixel is sampled more finely."""
_EXTRA: Final = ((0.2, 0.75), (0.8, 0.25))
"""Places in an edge pixel (down, right) of its further samples."""

Scene = Ear | Nose | Larynx | Throat


@compiled
def _is_edge(depth: Any, row: int, column: int) -> bool:
    t = depth[row, column]
    across = abs(depth[row, column - 1] + depth[row, column + 1] - 2.0 * t)
    down = abs(depth[row - 1, column] + depth[row + 1, column] - 2.0 * t)
    return bool(max(across, down) > _EDGE * t)


@compiled
def _refine(
    site: int,
    ear: Any,
    nose: Any,
    larynx: Any,
    throat: Any,
    sight: Sight,
    content: Any,
    image: Any,
    depth: Any,
    free: Any,
) -> None:
    """Sample the pixels at edges of depth more finely."""
    height, width = content.shape
    spread = 2.0 * sight.half_view / height
    for row in range(1, height - 1):
        for column in range(1, width - 1):
            if not content[row, column] or not _is_edge(depth, row, column):
                continue
            start = free[row // BLOCK, column // BLOCK]
            for down, right in _EXTRA:
                ray = pixel_ray(sight, row + down, column + right, height, width)
                light, _ = seen(site, ear, nose, larynx, throat, sight, ray, start, spread)
                for channel in range(3):
                    image[row, column, channel] += light[channel]
            for channel in range(3):
                image[row, column, channel] /= 1.0 + len(_EXTRA)


@compiled
def _picture(
    site: int, ear: Any, nose: Any, larynx: Any, throat: Any, sight: Sight, content: Any, image: Any
) -> None:
    height, width = content.shape
    spread = 2.0 * sight.half_view / height
    eye = (sight.x, sight.y, sight.z)
    depth = np.zeros((height, width))
    free = np.zeros(((height + BLOCK - 1) // BLOCK, (width + BLOCK - 1) // BLOCK))
    for top in range(0, height, BLOCK):
        for left in range(0, width, BLOCK):
            if not content[top : top + BLOCK, left : left + BLOCK].any():
                continue
            ray = pixel_ray(sight, top + 0.5 * BLOCK, left + 0.5 * BLOCK, height, width)
            start = free_cone(site, ear, nose, larynx, throat, eye, ray, 0.75 * BLOCK * spread)
            free[top // BLOCK, left // BLOCK] = start
            for row in range(top, min(top + BLOCK, height)):
                for column in range(left, min(left + BLOCK, width)):
                    if content[row, column]:
                        ray = pixel_ray(sight, row + 0.5, column + 0.5, height, width)
                        light, t = seen(site, ear, nose, larynx, throat, sight, ray, start, spread)
                        depth[row, column] = t
                        for channel in range(3):
                            image[row, column, channel] = light[channel]
    _refine(site, ear, nose, larynx, throat, sight, content, image, depth, free)


_KINDS: Final[tuple[type, ...]] = (Nose, Ear, Larynx, Throat)
_DTYPES: Final = {
    kind: np.dtype([(name, np.float64) for name in kind._fields])  # type: ignore[attr-defined]
    for kind in _KINDS
}
_EMPTY: Final = {kind: np.zeros(1, dtype)[0] for kind, dtype in _DTYPES.items()}


def trace_scene(
    scene: Scene, sight: Sight, content: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float32]:
    """Linear radiance (H, W, 3) of a scene; pixels outside ``content`` (H, W) stay 0."""
    image = np.zeros((*content.shape, 3), np.float32)
    records = dict(_EMPTY)
    records[type(scene)] = np.array([tuple(scene)], _DTYPES[type(scene)])[0]
    _picture(
        _KINDS.index(type(scene)),
        records[Ear],
        records[Nose],
        records[Larynx],
        records[Throat],
        sight,
        content,
        image,
    )
    return image
