"""Take a clip: its frames, and for each frame the polyp's mask and whether it is seen."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from endoalign.world.clips.plans import ClipPlan
from endoalign.world.clips.settings import ClipSettings
from endoalign.world.clips.staging import StagedClip, stage_clip
from endoalign.world.renderer.camera_path_develop import Exposure, develop_in_clip, smear
from endoalign.world.renderer.content_area import content_area
from endoalign.world.renderer.overlays import draw_overlays
from endoalign.world.renderer.processors import processor_named
from endoalign.world.renderer.render import render_scene

_TRIES: Final = 6
_GLANCE: Final = (24, 8)
"""Height in pixels, and number of frames, of the quick look that judges a path."""


@dataclass(frozen=True)
class Clip:
    """One clip and what is true of it.

    ``frames`` is uint8 (T, H, W, 3), H and W even; ``masks`` uint8 (T, H, W), 1 on the polyp;
    ``visible`` (T,) the share of the content that the polyp covers; ``present`` bool (T,), whether
    it counts as seen; ``positions`` (T, 3) where the tip is, cm, the third along the lumen.
    """

    plan: ClipPlan
    frames: NDArray[np.uint8]
    masks: NDArray[np.uint8]
    visible: NDArray[np.float64]
    present: NDArray[np.bool_]
    positions: NDArray[np.float64]


def render_clip(plan: ClipPlan, settings: ClipSettings) -> Clip:
    """Render a clip of a plan, ``settings.frame_height`` pixels high.

    A path that shows the polyp in fewer than ``polyp_share`` of the frames is taken again; the
    best of six is kept. The same arguments give the same bytes.
    """
    staged = _best_path(plan, settings)
    processor = processor_named(plan.source)
    stage, cameras = staged.stage, staged.cameras
    content = content_area(processor, settings.frame_height)
    exposure = Exposure(stage.exposure, plan.fps)
    frames, masks = [], []
    for number, camera in enumerate(cameras):
        now = replace(stage, camera=camera)
        radiance, _, mask = render_scene(
            now.wall, now.lesions, now.tool, now.mucosa, now.camera, content
        )
        motion = smear(cameras[max(number - 1, 0)], camera, plan.fps)
        target = exposure.next(radiance, content)
        rgb = develop_in_clip(radiance, content, processor, plan.seed, number, target, motion)
        frames.append(draw_overlays(rgb, processor, plan.seed))
        masks.append(mask)
    visible = np.array(masks).reshape(len(masks), -1).sum(1) / max(int(content.sum()), 1)
    even = content.shape[1] // 2 * 2
    return Clip(
        plan=plan,
        frames=np.stack(frames)[:, :, :even],
        masks=np.stack(masks)[:, :, :even],
        visible=visible,
        present=visible >= settings.visible_share,
        positions=np.array([(camera.x, camera.y, camera.z) for camera in cameras]),
    )


def _best_path(plan: ClipPlan, settings: ClipSettings) -> StagedClip:
    staged = stage_clip(plan)
    if plan.lesion is None:
        return staged
    best, most = staged, _share_seen(staged, plan, settings)
    for attempt in range(1, _TRIES):
        if most >= settings.polyp_share:
            break
        staged = stage_clip(plan, attempt)
        share = _share_seen(staged, plan, settings)
        if share > most:
            best, most = staged, share
    return best


def _share_seen(staged: StagedClip, plan: ClipPlan, settings: ClipSettings) -> float:
    """Share of a few frames, evenly spread over the clip and small, in which the polyp is seen."""
    size, count = _GLANCE
    content = content_area(processor_named(plan.source), size)
    stage, seen = staged.stage, 0
    chosen = np.linspace(0, len(staged.cameras) - 1, count).round().astype(int)
    for number in chosen:
        camera = staged.cameras[number]
        _, _, mask = render_scene(
            stage.wall, stage.lesions, stage.tool, stage.mucosa, camera, content
        )
        seen += int(mask.sum() >= settings.visible_share * content.sum())
    return seen / count
