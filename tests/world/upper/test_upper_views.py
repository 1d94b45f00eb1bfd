"""Which pictures a gastroscopy keeps: every region, every finding clearly, the same each time."""

from collections import Counter

import pytest

from endoalign.vocabulary import UPPER_REGIONS
from endoalign.world.renderer.upper_view import UpperView
from endoalign.world.upper.cases import sample_upper_cases
from endoalign.world.upper.extent import seen_regions
from endoalign.world.upper.truth import UpperFinding
from endoalign.world.upper.views import plan_upper_views

CASES = sample_upper_cases(60, 10, seed=9, language="en")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.case_id)
def test_every_finding_is_shown_undisturbed_and_every_region_often(case):
    views = plan_upper_views(case, 40)
    assert len(views) == 40
    regions = seen_regions(case.reach, case.operation)
    counts = Counter(view.region for view in views)
    assert set(counts) == set(regions)
    assert max(counts.values()) - min(counts.values()) <= 1
    for finding in case.findings:
        showing = [view for view in views if finding in view.findings]
        assert any(view.distractor is None for view in showing)
        if not finding.spread:
            assert any(v.framing == "clear" and v.distractor is None for v in showing)
        else:
            assert len(showing) == counts[finding.region]


def test_views_are_in_the_order_of_the_regions_and_fixed_by_the_seed():
    views = plan_upper_views(CASES[0], 30)
    places = [UPPER_REGIONS.index(view.region) for view in views]
    assert places == sorted(places)
    assert plan_upper_views(CASES[0], 30) == views
    assert len({view.patient_seed for view in views}) == 1
    assert len({view.seed for view in views}) == 30


def test_as_few_frames_as_findings_still_show_them_all():
    case = max(CASES, key=lambda one: len(one.findings))
    shown = {f for view in plan_upper_views(case, len(case.findings)) for f in view.findings}
    assert shown == set(case.findings)
    with pytest.raises(ValueError, match=f"must be at least {len(case.findings)}"):
        plan_upper_views(case, len(case.findings) - 1)


def test_a_normal_case_shows_no_finding():
    normal = next(case for case in CASES if not case.findings)
    assert not any(view.findings for view in plan_upper_views(normal, 24))
    with pytest.raises(ValueError, match="at least 1"):
        plan_upper_views(normal, 0)


ULCER = UpperFinding("f", "ulcer", "antrum", 0.8, 1, 3.0, 1)
BILE = UpperFinding("g", "bile", "antrum", 0.0, 1, 3.0, 1)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("rectum", (), "none", None, 1), "region 'rectum'"),
        (("antrum", (), "close", None, 1), "framing 'close'"),
        (("antrum", (), "none", "fog", 1), "distractor 'fog'"),
        (("body", (ULCER,), "clear", None, 1), "lies in the antrum"),
        (("antrum", (BILE,), "clear", None, 1), "needs a local finding"),
    ],
)
def test_a_view_that_cannot_be_is_told(arguments, told):
    with pytest.raises(ValueError, match=told):
        UpperView(*arguments)
