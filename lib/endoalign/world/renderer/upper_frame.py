"""One frame of a gastroscopy: a view and a processor in, pixels and their truth out."""

from dataclasses import replace

import numpy as np

from endoalign.world.renderer.frame import MAX_SIZE, MIN_SIZE, RenderedFrame, render_stage
from endoalign.world.renderer.processors import Processor
from endoalign.world.renderer.upper_stage import set_upper_stage
from endoalign.world.renderer.upper_view import UpperView

HIDING = frozenset({"blur", "motion_blur", "wall_contact", "overexposure"})
"""Distractors under which the state of a region cannot be judged."""


def render_upper_frame(view: UpperView, processor: Processor, size: int) -> RenderedFrame:
    """Render a view of a gastroscopy, ``size`` pixels high.

    ``lesion_mask`` is k on the k-th finding of the view, ``visible`` holds a share of the content
    for each: of a spread finding, which marks all of its region, 1 where the picture lets it be
    judged and 0 where it does not. The same arguments give the same bytes in any process.
    ``ValueError`` for a size outside 16 to 2048.
    """
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"size {size} px must lie in {MIN_SIZE} to {MAX_SIZE}")
    stage, owners = set_upper_stage(view, processor)
    frame = render_stage(stage, processor, size, view.seed, view.distractor, len(owners))
    places = [index for index, finding in enumerate(view.findings) if not finding.spread]
    numbers = np.array([0, *(places[owner] + 1 for owner in owners)], dtype=np.uint8)
    shares = [0.0 if view.distractor in HIDING else 1.0] * len(view.findings)
    for index in places:
        shares[index] = 0.0
    for owner, share in zip(owners, frame.visible, strict=True):
        shares[places[owner]] += share
    return replace(frame, lesion_mask=numbers[frame.lesion_mask], visible=tuple(shares))
