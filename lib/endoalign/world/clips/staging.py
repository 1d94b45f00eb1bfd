"""The scene of a clip and the path of its camera."""

from dataclasses import dataclass

import numpy as np

from endoalign.world.clips.plans import ClipPlan
from endoalign.world.renderer.camera_path import camera_path
from endoalign.world.renderer.placement import (
    head_centre,
    stand_before,
    wall_normal,
    wall_point,
)
from endoalign.world.renderer.processors import processor_named
from endoalign.world.renderer.scene import Camera, FloatArray
from endoalign.world.renderer.stage import Stage, set_stage
from endoalign.world.renderer.view import View

_FARTHEST = 4.5
"""Largest distance (cm) from which something is looked at."""


@dataclass(frozen=True)
class StagedClip:
    """What stands still in a clip (``stage``) and the camera at each frame."""

    stage: Stage
    cameras: tuple[Camera, ...]


def stage_clip(plan: ClipPlan, attempt: int = 0) -> StagedClip:
    """Set the scene of a clip and lead the camera through it; another path each ``attempt``."""
    rng = np.random.default_rng([plan.seed & 0xFFFFFFFF, attempt, 0xC11F])
    lesions = (plan.lesion,) if plan.lesion is not None else ()
    view = View(
        region=plan.region,
        lesions=lesions,
        framing="clear" if lesions else "none",
        distractor=plan.distractor,
        seed=plan.seed,
        patient_seed=plan.patient_seed,
    )
    stage = set_stage(view, processor_named(plan.source))
    spot, normal = _spot(plan, stage)
    away = plan.reach_cm / np.tan(plan.share * stage.camera.half_view)
    away = float(np.clip(away, 1.15 * plan.reach_cm + 0.3, _FARTHEST))
    x, y, z = stand_before(
        stage.wall, stage.lesions, spot, normal, plan.reach_cm, away, rng
    ).tolist()
    key = stage.camera._replace(x=x, y=y, z=z)
    times = np.arange(plan.frames) / plan.fps
    cameras = camera_path(stage.wall, stage.lesions, key, spot, plan.move, times, rng)
    return StagedClip(stage, cameras)


def _spot(plan: ClipPlan, stage: Stage) -> tuple[FloatArray, FloatArray]:
    """What is looked at, the polyp or a spot where one might be, and the normal of its wall."""
    if plan.lesion is not None:
        first = stage.lesions[0]
        return head_centre(first), np.array([first["wx"], first["wy"], first["wz"]], float)
    wall = stage.wall
    chance = np.random.default_rng([plan.seed & 0xFFFFFFFF, 0x5907])
    height = min(chance.uniform(3.0, 6.0), wall.end - 1.0 - plan.reach_cm)
    spot = np.array(wall_point(wall, chance.uniform(0, 2 * np.pi), height))
    x, y, z = spot.tolist()
    return spot, wall_normal(wall, x, y, z, 0.15 + 0.3 * plan.reach_cm)
