"""Examinations of the world as labelled pictures, one rendered after the other."""

from collections.abc import Iterator

from endoalign.world.layouts.pictures import LabelledPicture
from endoalign.world.renderer.frame import render_frame
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.truth import CaseTruth
from endoalign.world.views import plan_views


def case_pictures(case: CaseTruth, n_frames: int, height: int) -> Iterator[LabelledPicture]:
    """Yield the pictures of a case in the order of withdrawal, as `case_files` renders them.

    Labels are ``class`` (``polyp`` where a lesion is in the picture, else ``normal``) and
    ``region``; the mask holds all lesions.

    Args:
        case: of `cases.sample_cases`.
        n_frames: pictures of the case, at least one a lesion.
        height: pixels.

    Raises:
        ValueError: too few frames, or a height the renderer does not take.
    """
    for view in plan_views(case, n_frames):
        frame = render_frame(view, PROCESSORS[case.source], height)
        mask = frame.lesion_mask > 0
        labels = {"class": "polyp" if mask.any() else "normal", "region": view.region}
        yield LabelledPicture(frame.rgb, mask, labels, case.case_id)
