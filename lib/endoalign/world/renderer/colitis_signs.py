"""Which sign of colitis each pixel of a frame shows: the truth behind the picture."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from endoalign.world.renderer.colitis_cover import (
    blood_cover,
    erosion_cover,
    petechia_cover,
    ulcer_cover,
)
from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.lens import pixel_ray
from endoalign.world.renderer.scene import Camera, Mucosa, Wall
from endoalign.world.renderer.stage import Stage

SIGN_CODES: Final = {"petechiae": 1, "erosion": 2, "ulcer": 3, "bleeding": 4}
"""Values of the map of signs; where several meet, the highest counts."""
DARK: Final = 5.0
"""Distance (cm) from which on the lumen is too dark to grade."""


@compiled
def _mark(wall: Wall, mucosa: Mucosa, camera: Camera, depth: Any, content: Any, marks: Any) -> None:
    height, width = depth.shape
    spread = 2.0 * camera.half_view / height
    for row in range(height):
        for column in range(width):
            t = depth[row, column]
            if not content[row, column] or t >= DARK:
                continue
            ray = pixel_ray(camera, column + 0.5, row + 0.5, height, width)
            place = (
                camera.x + t * ray[0] + wall.offset_x,
                camera.y + t * ray[1] + wall.offset_y,
                camera.z + t * ray[2] + wall.offset_z,
            )
            footprint = spread * t
            if petechia_cover(mucosa, place, footprint) > 0.5:
                marks[row, column] = 1
            if erosion_cover(mucosa, place, footprint)[0] > 0.5:
                marks[row, column] = 2
            if ulcer_cover(mucosa, place, footprint)[0] > 0.5:
                marks[row, column] = 3
            if blood_cover(mucosa, place, footprint) > 0.5:
                marks[row, column] = 4


def sign_map(
    stage: Stage, depth_cm: npt.NDArray[np.float32], content: npt.NDArray[np.bool_]
) -> npt.NDArray[np.uint8]:
    """Map (H, W) of `SIGN_CODES`, 0 where there is no sign, nearer than `DARK`.

    ``depth_cm`` and ``content`` (H, W) are those of the frame rendered from ``stage``. Nothing in
    front of the wall (instrument, fluid, bubbles) is taken into account.
    """
    marks = np.zeros(depth_cm.shape, np.uint8)
    if stage.mucosa.inflamed > 0.0:
        _mark(stage.wall, stage.mucosa, stage.camera, depth_cm, content, marks)
    return marks
