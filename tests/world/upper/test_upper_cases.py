"""The gastroscopies that are drawn: numbers, places, extent, and the same for the same seed."""

from collections import Counter

import pytest

from endoalign.vocabulary import UPPER_REGIONS
from endoalign.world.upper.cases import INCISOR_CM, PLACES, sample_upper_cases
from endoalign.world.upper.extent import OPERATIONS, is_complete_upper, seen_regions
from endoalign.world.upper.truth import UPPER_KINDS, UpperFinding


@pytest.fixture(scope="module")
def cases():
    return sample_upper_cases(400, 100, seed=4, language="mixed")


def test_numbers_ids_and_languages(cases):
    assert sum(bool(case.findings) for case in cases) == 400
    assert len({case.case_id for case in cases}) == 500
    assert {case.language for case in cases} == {"en", "zh"}
    ids = [finding.finding_id for case in cases for finding in case.findings]
    assert len(set(ids)) == len(ids)


def test_findings_lie_in_regions_that_were_seen_where_their_kind_occurs(cases):
    kinds = Counter()
    for case in cases:
        seen = seen_regions(case.reach, case.operation)
        for finding in case.findings:
            kinds[finding.kind] += 1
            assert finding.region in seen
            assert finding.region in PLACES[finding.kind]
    assert set(kinds) == set(UPPER_KINDS)
    assert min(kinds.values()) >= 20


def test_a_region_has_one_local_and_one_spread_finding_at_most(cases):
    for case in cases:
        places = Counter((finding.region, finding.spread) for finding in case.findings)
        assert all(number == 1 for number in places.values())


def test_patients_stay_in_one_split(cases):
    splits = {}
    for case in cases:
        assert splits.setdefault(case.patient_id, case.split) == case.split
    assert len(splits) < len(cases)


def test_polyps_carry_a_lesion_of_the_same_place(cases):
    polyps = [one for case in cases for one in case.findings if one.kind == "polyp"]
    for finding in polyps:
        low, high = INCISOR_CM[finding.region]
        assert finding.lesion.region == finding.region
        assert finding.lesion.lesion_id == finding.finding_id
        assert finding.lesion.size_cm == finding.size_cm
        assert low <= finding.lesion.distance_cm <= high


def test_same_seed_same_cases_and_another_seed_others(cases):
    assert sample_upper_cases(400, 100, seed=4, language="mixed") == cases
    assert sample_upper_cases(400, 100, seed=5, language="mixed") != cases


def test_extent_of_complete_stopped_and_operated_cases(cases):
    assert seen_regions("duodenum", None) == UPPER_REGIONS
    assert seen_regions("esophagus", None) == ("esophagus",)
    assert seen_regions("body", "distal_gastrectomy") == UPPER_REGIONS[:4]
    assert 0.9 < sum(is_complete_upper(case) for case in cases) / len(cases) < 1.0
    assert {case.operation for case in cases} == {None, *OPERATIONS}


@pytest.mark.parametrize(
    ("reach", "operation", "told"),
    [
        ("rectum", None, "unknown reach 'rectum'"),
        ("duodenum", "bypass", "known operations: distal_gastrectomy"),
        ("antrum", "distal_gastrectomy", "does not exist after"),
    ],
)
def test_an_extent_that_cannot_be_is_told(reach, operation, told):
    with pytest.raises(ValueError, match=told):
        seen_regions(reach, operation)


@pytest.mark.parametrize(
    ("kind", "region", "told"),
    [
        ("tumour", "antrum", "kind 'tumour'"),
        ("ulcer", "colon", "region 'colon'"),
        ("polyp", "body", "needs a `lesion`"),
    ],
)
def test_a_finding_that_cannot_be_is_told(kind, region, told):
    with pytest.raises(ValueError, match=told):
        UpperFinding("f", kind, region, 0.5, 1, 3.0, 1)


def test_no_cases_at_all():
    assert sample_upper_cases(0, 0, seed=1, language="en") == ()
