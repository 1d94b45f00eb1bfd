"""Where the lesions of a view lie, and the pose of the camera that frames them as asked."""

from typing import Any

import numpy as np

from endoalign.world.renderer.distance import axis_at
from endoalign.world.renderer.lesion_shape import lesion_record
from endoalign.world.renderer.placement import (
    NO_TOOL,
    clearance,
    head_centre,
    look_beside,
    place_lesion,
    sight,
    stand_before,
    wall_normal,
    wall_point,
)
from endoalign.world.renderer.scene import LESION_DTYPE, FloatArray, Wall
from endoalign.world.renderer.view import View

_SIZE_IN_FRAME = {
    "clear": (0.44, 0.54),
    "partial": (0.35, 0.8),
    "far": (0.06, 0.12),
    "off_centre": (0.18, 0.45),
    "behind_fold": (0.22, 0.45),
}
"""Angular radius, over half the view, of a lesion of `_USUAL_CM`."""
_USUAL_CM = 0.57
_GROWTH = 0.7
"""Larger lesions fill more of the view, by this power of their size: one comes close to a small
one, but not so close that all look alike in size."""
_LARGEST_IN_FRAME = 0.9
_PLACE_IN_FRAME = {
    "clear": (0.0, 0.35),
    "partial": (0.85, 1.1),
    "far": (0.0, 0.5),
    "off_centre": (0.5, 0.8),
    "behind_fold": (0.0, 0.35),
}
"""Angle of the lesion from the optical axis over half the view."""


def place_lesions(view: View, wall: Wall) -> Any:
    """Records of the view's lesions on the wall; the first at its own site, others near it."""
    records = np.zeros(0 if view.framing == "none" else len(view.lesions), LESION_DTYPE)
    z = angle = 0.0
    for i in range(len(records)):
        lesion = view.lesions[i]
        rng = np.random.default_rng([lesion.seed & 0xFFFFFFFF, 0x51DE])
        record = lesion_record(lesion)
        own = np.pi / 2 - lesion.clock * np.pi / 6
        if i == 0:
            limit = min(6.0, wall.end - 1.0 - 0.5 * lesion.size_cm)
            z, angle = min(rng.uniform(3.0, 6.0), limit), own
        else:
            gap = 0.65 * (lesion.size_cm + view.lesions[0].size_cm) + rng.uniform(0.1, 0.5)
            z -= gap * rng.choice([-1.0, 1.0]) * 0.8
            angle += 0.6 * gap / wall.radius * rng.choice([-1.0, 1.0])
        place_lesion(record, wall, angle, z, rng.uniform(0, 2 * np.pi))
        records[i] = record
    return records


def _hide_behind_fold(
    wall: Wall, lesions: Any, camera: FloatArray, target: FloatArray, crest: FloatArray
) -> Wall:
    """Raise the nearest fold between camera and lesion until it covers ``target``.

    The fold stays low enough to leave ``crest``, the top of the lesion, in sight.
    """
    way = target - camera
    share = 1.0 - (float(lesions[0]["radius"]) * 1.05 + 0.2) / float(np.linalg.norm(way))
    between = camera + max(share, 0.35) * way
    cx, cy, _ = axis_at(wall, between[2])
    angle = np.arctan2(between[1] - cy, between[0] - cx)
    index = round((between[2] - wall.fold_first) / wall.fold_spacing)
    index = int(np.clip(index, 0, len(wall.folds) - 1))
    start = wall.radius - float(np.hypot(between[0] - cx, between[1] - cy))
    hidden = wall
    for extra in np.arange(-0.4, 0.9, 0.05):
        height = max(start + extra, 0.1)
        folds = wall.folds.copy()
        folds[index] = (between[2], height, 0.14, np.cos(angle), np.sin(angle), 0.9, 0.0)
        raised = wall._replace(folds=folds)
        if clearance(raised, lesions, NO_TOOL, camera) < 0.1:
            break
        if sight(raised, lesions, NO_TOOL, camera, crest) < share * 1.02:
            break
        hidden = raised
        if sight(raised, lesions, NO_TOOL, camera, target) < share * 1.02:
            break
    return hidden


def pose_on_lesion(
    view: View, wall: Wall, lesions: Any, half_view: float, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, Wall]:
    """Camera position, direction of view and the wall (a fold may have moved) for a framing."""
    first = lesions[0]
    target = head_centre(first)
    normal = np.array([first["wx"], first["wy"], first["wz"]], float)
    reach = float(first["radius"])
    share = rng.uniform(*_SIZE_IN_FRAME[view.framing])
    share *= (view.lesions[0].size_cm / _USUAL_CM) ** _GROWTH
    share = min(share, _LARGEST_IN_FRAME)
    distance = float(np.clip(reach / np.tan(share * half_view), 1.15 * reach + 0.12, 9.0))
    if view.framing == "behind_fold":
        distance = max(distance, reach + 1.2)
        point = target + distance * np.array([0.0, 0.0, -1.0]) + 0.3 * distance * normal
        axis_x, axis_y, _ = axis_at(wall, point[2])
        point[:2] += 0.35 * (np.array([axis_x, axis_y]) - point[:2])
        wall = _hide_behind_fold(wall, lesions, point, target, target + 0.8 * reach * normal)
    else:
        point = stand_before(wall, lesions, target, normal, reach, distance, rng)
    place = rng.uniform(*_PLACE_IN_FRAME[view.framing]) * half_view
    forward = look_beside(target - point, place, rng.uniform(0, 2 * np.pi))
    return point, forward, wall


def pose_in_lumen(
    wall: Wall, contact: bool, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Camera near the axis looking along it or at the wall; ``contact``: pressed on the wall."""
    for _ in range(16):
        z = rng.uniform(-3.0, min(3.0, wall.end - 2.5))
        cx, cy, _ = axis_at(wall, z)
        angle = rng.uniform(0, 2 * np.pi)
        if contact:
            edge = np.array(wall_point(wall, angle, z))
            normal = wall_normal(wall, *edge, 0.2)
            point = edge + rng.uniform(0.1, 0.22) * normal
            forward = look_beside(-normal, rng.uniform(0.0, 0.7), rng.uniform(0, 2 * np.pi))
        else:
            off = rng.uniform(0.0, 0.55) * wall.radius
            point = np.array([cx + off * np.cos(angle), cy + off * np.sin(angle), z])
            ahead = np.array([*axis_at(wall, z + 1.5)[:2], z + 1.5]) - (cx, cy, z)
            wide = 1.15 if rng.random() < 0.25 else 0.5
            forward = look_beside(ahead, rng.uniform(0.0, wide), rng.uniform(0, 2 * np.pi))
        if clearance(wall, np.zeros(0, LESION_DTYPE), NO_TOOL, point) > (0.05 if contact else 0.3):
            break
    return point, forward
