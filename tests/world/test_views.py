import dataclasses

import pytest

from endoalign.vocabulary import COLON_REGIONS
from endoalign.world.cases_sites import visited_regions
from endoalign.world.renderer.frame import render_frame
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.renderer.view import DISTRACTORS, View
from endoalign.world.truth import CaseTruth, Lesion
from endoalign.world.views import plan_views

SMALL = Lesion("A", "rectum", 8.0, 3.0, "0-Is", 0.4, "pale", ("smooth",), 1)
LARGE = Lesion("B", "rectum", 9.0, 9.0, "0-Ip", 1.4, "red", ("lobulated",), 2)
OTHER = Lesion("C", "ascending_colon", 90.0, 1.0, "0-IIa", 2.0, "yellow", ("flat", "granular"), 3)
CASE = CaseTruth("c1", "p1", "centre_a", "train", "en", (SMALL, LARGE, OTHER), 77)


def test_plans_are_deterministic_and_have_the_asked_length():
    assert plan_views(CASE, 30) == plan_views(CASE, 30)
    assert plan_views(CASE, 30) != plan_views(dataclasses.replace(CASE, seed=78), 30)
    assert [len(plan_views(CASE, count)) for count in (3, 4, 30)] == [3, 4, 30]


@pytest.mark.parametrize("seed", range(5))
def test_every_lesion_is_shown_clearly_at_least_once(seed):
    views = plan_views(dataclasses.replace(CASE, seed=seed), 12)
    clear = {v.lesions[0].lesion_id for v in views if v.framing == "clear" and not v.distractor}
    assert clear == {"A", "B", "C"}
    assert all(view.lesions[0].region == view.region for view in views if view.lesions)


def test_clear_views_show_the_lesion():
    for seed in range(8):
        for view in plan_views(dataclasses.replace(CASE, seed=seed), 3):
            assert render_frame(view, PROCESSORS["centre_a"], 48).visible[0] > 0.015


def test_few_frames_show_a_lesion_and_all_segments_are_passed():
    views = plan_views(CASE, 60)
    shown = [view for view in views if view.lesions]
    clear = [view for view in views if view.framing == "clear"]
    assert len(clear) < len(shown) < 0.5 * len(views)
    assert {view.region for view in views} == set(COLON_REGIONS)
    order = [COLON_REGIONS.index(view.region) for view in views]
    assert order == sorted(order)
    assert len({view.patient_seed for view in views}) == 1


def test_a_normal_case_shows_none():
    views = plan_views(dataclasses.replace(CASE, lesions=()), 20)
    assert all(view.framing == "none" and not view.lesions for view in views)
    assert {view.distractor for view in views} - {None} <= set(DISTRACTORS)


@pytest.mark.parametrize("count", [0, 2])
def test_too_few_frames_are_refused(count):
    with pytest.raises(ValueError, match=f"case c1: n_frames {count} must be at least 3"):
        plan_views(CASE, count)


@pytest.mark.parametrize(
    "change, words",
    [
        ({"framing": "upside_down"}, "'upside_down' is unknown; use one of clear"),
        ({"distractor": "rain"}, "'rain' is unknown; use one of blur"),
        ({"lesions": ()}, "'clear' needs a lesion"),
    ],
)
def test_views_that_make_no_sense_are_refused(change, words):
    with pytest.raises(ValueError, match=words):
        dataclasses.replace(View("rectum", (SMALL,), "clear", None, 1), **change)


def test_segments_that_were_not_reached_or_are_resected_are_never_shown():
    stopped = dataclasses.replace(CASE, lesions=(), reach="splenic_flexure")
    operated = dataclasses.replace(CASE, lesions=(), operation="right_hemicolectomy")
    for case in (stopped, operated):
        shown = {view.region for view in plan_views(case, 40)}
        assert shown == set(visited_regions(case))
        assert "ileocecal" not in shown
