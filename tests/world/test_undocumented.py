"""Partly documented examinations: what is left out, and that nothing of it is shown or told."""

import pytest

from endoalign.vocabulary import COLON_REGIONS, UPPER_REGIONS
from endoalign.world.cases import sample_cases
from endoalign.world.truth import CaseTruth
from endoalign.world.undocumented import partly_documented
from endoalign.world.upper.cases import sample_upper_cases
from endoalign.world.upper.truth import UpperCase
from endoalign.world.upper.views import plan_upper_views
from endoalign.world.views import plan_views
from endoalign.world.whole import as_whole
from endoalign.world.writer.report import write_report
from endoalign.world.writer.upper import write_upper_report

SHARE = 0.4


@pytest.fixture(scope="module")
def colon() -> list[CaseTruth]:
    drawn = map(as_whole, sample_cases(60, 20, seed=3, language="mixed"))
    return [partly_documented(case, SHARE) for case in drawn]


@pytest.fixture(scope="module")
def upper() -> list[UpperCase]:
    drawn = sample_upper_cases(60, 20, seed=3, language="mixed")
    return [partly_documented(case, SHARE) for case in drawn]


def test_share_and_exceptions(colon: list[CaseTruth], upper: list[UpperCase]) -> None:
    free, left_out = 0, 0
    for case in colon:
        kept = {lesion.region for lesion in case.lesions}
        assert not kept & {*case.undocumented}
        if case.reach == COLON_REGIONS[0] and case.operation is None:
            assert not {*COLON_REGIONS[:2]} <= {*case.undocumented}
            middle = {*COLON_REGIONS[2:]} - kept
            free, left_out = free + len(middle), left_out + len(middle & {*case.undocumented})
    for each in upper:
        kept = {finding.region for finding in each.findings}
        assert not kept & {*each.undocumented}
        if each.reach == UPPER_REGIONS[-1] and each.operation is None:
            assert not {*UPPER_REGIONS[-2:]} <= {*each.undocumented}
            middle = {*UPPER_REGIONS[:-2]} - kept
            free, left_out = free + len(middle), left_out + len(middle & {*each.undocumented})
    assert free > 500
    assert abs(left_out / free - SHARE) < 0.05


def test_each_far_end_is_missing_at_times(colon: list[CaseTruth], upper: list[UpperCase]) -> None:
    missing = {region for case in (*colon, *upper) for region in case.undocumented}
    assert missing == {*COLON_REGIONS, *UPPER_REGIONS}


def test_no_share_leaves_nothing_out() -> None:
    case = sample_cases(1, 0, seed=1, language="en")[0]
    assert partly_documented(case, 0.0) == case


def test_same_seed_same_regions(colon: list[CaseTruth]) -> None:
    again = [partly_documented(case, SHARE) for case in colon]
    assert again == colon


def test_colon_stills_and_words(colon: list[CaseTruth]) -> None:
    for case in colon:
        shown = {view.region for view in plan_views(case, 24)}
        told = {found.region for found in write_report(case, whole=True).findings} - {None}
        assert not (shown | told) & {*case.undocumented}
        if case.reach == COLON_REGIONS[0] and case.operation is None:
            assert shown == told == {*COLON_REGIONS} - {*case.undocumented}


def test_upper_stills_and_words(upper: list[UpperCase]) -> None:
    for case in upper:
        shown = {view.region for view in plan_upper_views(case, 24)}
        told = {finding.region for finding in write_upper_report(case).findings}
        assert not (shown | told) & {*case.undocumented}
        if case.reach == UPPER_REGIONS[-1] and case.operation is None:
            assert shown == told == {*UPPER_REGIONS} - {*case.undocumented}
