"""What the walls of all upper regions share: unevenness and section."""

import math
from typing import Any

from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.noise import value_noise


@compiled
def bulge_at(wall: Any, x: float, y: float, z: float) -> float:
    """The patient's unevenness at a point, -1 to 1."""
    rate = wall.undulation_rate
    return value_noise(
        (x * rate + wall.offset_x, y * rate + wall.offset_y, z * rate + wall.offset_z)
    )


@compiled
def section_at(wall: Any, form: Any, angle: float) -> float:
    """Radius of the lumen in a direction (cm), without relief."""
    return wall.radius * (1.0 + form.squash * math.cos(2.0 * (angle - form.squash_turn)))
