import dataclasses

import numpy as np
import pytest

from endoalign.world.renderer.colitis import Inflammation
from endoalign.world.renderer.colitis_signs import DARK, SIGN_CODES, sign_map
from endoalign.world.renderer.content_area import content_area
from endoalign.world.renderer.frame import render_frame
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.renderer.render import render_scene
from endoalign.world.renderer.stage import set_stage
from endoalign.world.renderer.view import View

FULL = PROCESSORS["centre_f"]
CALM = Inflammation(2, 0.0, 0.8, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0)
SIZE = 96


def _view(colitis, seed=11, patient=4):
    return View("rectum", (), "none", None, seed, patient, colitis)


def _light(view):
    """Stage, linear light, depth and content of a view."""
    stage = set_stage(view, FULL)
    content = content_area(FULL, SIZE)
    light, depth, _ = render_scene(
        stage.wall, stage.lesions, stage.tool, stage.mucosa, stage.camera, content
    )
    return stage, light, depth, content


@pytest.mark.parametrize("sign", SIGN_CODES)
def test_the_map_marks_the_pixels_that_the_sign_changes_and_hardly_any_other(sign):
    changed, unchanged = [], []
    for seed in range(6):
        with_sign = dataclasses.replace(CALM, **{sign: 1.0})
        _, plain, *_ = _light(_view(CALM, seed, seed))
        stage, light, depth, content = _light(_view(with_sign, seed, seed))
        marks = sign_map(stage, depth, content)
        assert set(np.unique(marks)) <= {0, SIGN_CODES[sign]}
        shift = (np.abs(light - plain) / (plain + 0.02)).max(-1)
        near = content & (depth < DARK)
        changed.append(shift[marks > 0])
        unchanged.append(shift[near & (marks == 0)])
    changed, unchanged = np.concatenate(changed), np.concatenate(unchanged)
    assert len(changed) > 40
    assert np.median(changed) > 0.15
    assert np.median(unchanged) < 0.05


def test_ulcers_are_pale_and_blood_is_dark_and_red():
    _, plain, *_ = _light(_view(CALM))
    for sign, brighter in (("ulcer", True), ("bleeding", False)):
        stage, light, depth, content = _light(_view(dataclasses.replace(CALM, **{sign: 1.0})))
        there = sign_map(stage, depth, content) > 0
        green = (light[there][:, 1] / plain[there][:, 1]).mean()
        assert (green > 1.3) if brighter else (green < 0.7)


def test_erythema_reddens_and_less_vascular_pattern_means_less_of_it():
    def redness(erythema):
        _, light, *_ = _light(_view(dataclasses.replace(CALM, erythema=erythema)))
        return float(light[..., 0].sum() / light[..., 1].sum())

    assert redness(0.0) < redness(0.45) < redness(0.9)
    bare = Inflammation(0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    _, none, *_ = _light(_view(bare))
    traces = [
        np.abs(_light(_view(dataclasses.replace(bare, vascular=share)))[1] - none).sum()
        for share in (0.3, 0.6, 1.0)
    ]
    assert 0 < traces[0] < traces[1] < traces[2]


def test_a_view_without_colitis_is_what_it_was_and_has_no_signs():
    view = _view(None)
    stage, light, depth, content = _light(view)
    assert stage.mucosa.inflamed == 0
    assert not sign_map(stage, depth, content).any()
    still = stage.mucosa._replace(erosion=1.0, ulcer=1.0, bleeding=1.0, vascular=0.0)
    again, *_ = render_scene(stage.wall, stage.lesions, stage.tool, still, stage.camera, content)
    assert (again == light).all()  # signs count only where there is colitis


def test_the_course_of_the_segment_is_the_patients_own_at_any_grade():
    calm, ill = render_frame(_view(None), FULL, 48), render_frame(_view(CALM), FULL, 48)
    other = render_frame(_view(CALM, seed=12), FULL, 48)
    assert (calm.rgb != ill.rgb).any()
    assert (ill.rgb != other.rgb).any()
    assert np.median(np.abs(calm.depth_cm - ill.depth_cm)) < 0.3
