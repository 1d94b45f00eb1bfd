import dataclasses

import numpy as np
import pytest

from endoalign.world.clips.plans import ClipPlan
from endoalign.world.clips.render import render_clip
from endoalign.world.clips.settings import ClipSettings
from endoalign.world.clips.staging import stage_clip
from endoalign.world.renderer.content_area import content_area, frame_width
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.truth import Lesion

POLYP = Lesion("L1", "sigmoid_colon", 30.0, 3.0, "0-Is", 0.9, "red", ("smooth",), 5)
PLAN = ClipPlan(
    clip_id="clip",
    case_id="case",
    patient_id="patient",
    source="centre_d",
    split="train",
    region="sigmoid_colon",
    lesion=POLYP,
    move="inspection",
    reach_cm=0.45,
    share=0.4,
    distractor=None,
    seconds=1.0,
    fps=10.0,
    seed=8,
    patient_seed=3,
)
SETTINGS = ClipSettings(frame_height=34)


@pytest.fixture(scope="module")
def clip():
    return render_clip(PLAN, SETTINGS)


def test_shapes_types_and_even_sizes(clip):
    assert frame_width(PROCESSORS["centre_d"], 34) == 39  # odd: the last column is cut
    assert clip.frames.shape == (10, 34, 38, 3)
    assert clip.masks.shape == (10, 34, 38)
    assert clip.frames.dtype == clip.masks.dtype == np.uint8
    assert clip.positions.shape == (10, 3)
    assert set(np.unique(clip.masks)) == {0, 1}


def test_visible_and_present_by_loop(clip):
    total = content_area(PROCESSORS["centre_d"], 34).sum()
    for number in range(10):
        share = clip.masks[number].sum() / total
        assert clip.visible[number] == pytest.approx(share, abs=1.5 / total)  # the cut column
        assert clip.present[number] == (clip.visible[number] >= 0.003)
    assert clip.present.mean() >= SETTINGS.polyp_share


def test_frames_follow_each_other_more_closely_than_they_span(clip):
    pixels = clip.frames.astype(float)
    next_to = np.abs(np.diff(pixels, axis=0)).mean()
    apart = np.abs(pixels[5:] - pixels[:-5]).mean()
    assert 0 < next_to < apart
    assert (np.linalg.norm(np.diff(clip.positions, axis=0), axis=1) < 0.6).all()


def test_the_same_plan_gives_the_same_bytes(clip):
    again = render_clip(PLAN, SETTINGS)
    assert (again.frames == clip.frames).all()
    assert (again.masks == clip.masks).all()
    other = render_clip(dataclasses.replace(PLAN, seed=9), SETTINGS)
    assert (other.frames != clip.frames).any()


def test_a_clip_without_a_polyp_has_none():
    plan = dataclasses.replace(PLAN, lesion=None, seconds=0.3, move="withdrawal")
    clip = render_clip(plan, SETTINGS)
    assert clip.frames.shape[0] == 3
    assert not clip.masks.any()
    assert not clip.present.any()
    assert not clip.visible.any()


def test_one_frame_and_another_rate():
    assert render_clip(dataclasses.replace(PLAN, seconds=0.1), SETTINGS).frames.shape[0] == 1
    slow = stage_clip(dataclasses.replace(PLAN, fps=5.0))
    fast = stage_clip(dataclasses.replace(PLAN, fps=20.0))
    assert (len(slow.cameras), len(fast.cameras)) == (5, 20)


def test_the_scene_stands_still_and_another_attempt_is_another_path():
    first, second = stage_clip(PLAN, 0), stage_clip(PLAN, 1)
    assert first.stage.mucosa == second.stage.mucosa
    assert (first.stage.wall.folds == second.stage.wall.folds).all()
    assert first.cameras[0].x != second.cameras[0].x


def test_a_lesion_that_is_not_drawn_is_refused():
    flat = dataclasses.replace(POLYP, paris="0-IIb")
    with pytest.raises(ValueError, match="'0-IIb' is not drawn"):
        render_clip(dataclasses.replace(PLAN, lesion=flat), SETTINGS)
