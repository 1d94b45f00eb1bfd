"""The public entry of the renderer: a view and a processor in, a frame with its truth out."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from endoalign.vocabulary import COLON_REGIONS
from endoalign.world.renderer.camera_chain import develop
from endoalign.world.renderer.content_area import content_area
from endoalign.world.renderer.distractors import draw_distractor
from endoalign.world.renderer.overlays import draw_overlays
from endoalign.world.renderer.processors import PROCESSORS, Processor
from endoalign.world.renderer.render import render_scene
from endoalign.world.renderer.stage import Stage, set_stage
from endoalign.world.renderer.view import View

MIN_SIZE, MAX_SIZE = 16, 2048


@dataclass(frozen=True)
class RenderedFrame:
    """One frame and what is true of it.

    ``rgb`` is uint8 (H, W, 3); ``lesion_mask`` uint8 (H, W), k on the k-th lesion of the view, 0
    elsewhere; ``depth_cm`` float32 (H, W), distance along the ray; ``content`` bool (H, W), the
    true content area without overlays; ``visible`` the share of content each lesion covers.
    """

    rgb: npt.NDArray[np.uint8]
    lesion_mask: npt.NDArray[np.uint8]
    depth_cm: npt.NDArray[np.float32]
    content: npt.NDArray[np.bool_]
    visible: tuple[float, ...]


def render_frame(view: View, processor: Processor, size: int) -> RenderedFrame:
    """Render a view as a processor shows it, ``size`` pixels high.

    The same arguments give the same bytes in any process. ``ValueError`` for a size outside 16
    to 2048, an unknown region, or a lesion that cannot be drawn.
    """
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"size {size} px must lie in {MIN_SIZE} to {MAX_SIZE}")
    stage = set_stage(view, processor)
    return render_stage(stage, processor, size, view.seed, view.distractor, len(view.lesions))


def render_stage(
    stage: Stage, processor: Processor, size: int, seed: int, distractor: str | None, lesions: int
) -> RenderedFrame:
    """Render a scene of ``lesions`` lesions; ``seed`` fixes noise, distractor and overlays."""
    content = content_area(processor, size)
    radiance, depth, mask = render_scene(
        stage.wall, stage.lesions, stage.tool, stage.mucosa, stage.camera, content
    )
    rng = np.random.default_rng([seed & 0xFFFFFFFF, 0xE55])
    rgb = develop(radiance, content, processor, rng, stage.exposure, stage.defocus, stage.motion)
    rgb = draw_distractor(rgb, content, distractor, seed)
    rgb = draw_overlays(rgb, processor, seed)
    total = max(int(content.sum()), 1)
    visible = tuple(float((mask == i + 1).sum()) / total for i in range(lesions))
    return RenderedFrame(rgb, mask, depth, content, visible)


def compile_renderer() -> None:
    """Compile the renderer (some half a minute, once) and keep the machine code on disk."""
    view = View(COLON_REGIONS[0], (), "none", None, 0)
    render_frame(view, next(iter(PROCESSORS.values())), MIN_SIZE)
