"""Extent and operations of the cases: shares, and no lesion where nothing was seen."""

import random
from collections import Counter, defaultdict
from dataclasses import replace

import pytest

from endoalign.vocabulary import COLON_REGIONS
from endoalign.world.cases import sample_cases
from endoalign.world.cases_extent import OPERATIONS, sample_operation, sample_reach
from endoalign.world.cases_sites import (
    REGION_CM,
    is_complete,
    sample_sites,
    seen_ranges,
    visited_regions,
)

# Written down again: what each operation takes out.
GONE = {
    "right_hemicolectomy": {"ileocecal", "ascending_colon", "hepatic_flexure"},
    "left_hemicolectomy": {"splenic_flexure", "descending_colon"},
    "sigmoid_resection": {"sigmoid_colon"},
    "low_anterior_resection": {"sigmoid_colon"},
}
CAECUM_OR_ILEUM = {"ileocecal", "terminal_ileum"}


@pytest.fixture(scope="module")
def cases():
    return sample_cases(5000, 2000, seed=23, language="mixed")


def regions_seen(case):
    """Naive walk from the ileum down."""
    seen, inside = [], False
    for region in COLON_REGIONS:
        inside = inside or region == case.reach
        if inside and region not in GONE.get(case.operation, set()):
            seen.append(region)
    return tuple(seen)


def test_visited_regions_are_those_of_a_naive_walk(cases):
    for case in cases:
        assert visited_regions(case) == regions_seen(case)
        assert visited_regions(case)[0] == case.reach
        assert visited_regions(case)[-1] == "rectum"


def test_no_lesion_lies_where_nothing_was_seen(cases):
    for case in cases:
        assert {lesion.region for lesion in case.lesions} <= set(visited_regions(case))
        if case.operation == "low_anterior_resection":
            rectal = [x.distance_cm for x in case.lesions if x.region == "rectum"]
            assert all(distance < 8.0 for distance in rectal)


def test_shares_of_incomplete_and_operated_cases(cases):
    incomplete = [c for c in cases if c.operation is None and c.reach not in CAECUM_OR_ILEUM]
    operated = [case for case in cases if case.operation is not None]
    assert len(incomplete) / len(cases) == pytest.approx(0.04, abs=0.008)
    assert len(operated) / len(cases) == pytest.approx(0.03, abs=0.007)
    assert {case.reach for case in incomplete} == set(COLON_REGIONS[2:-1])
    assert {case.operation for case in operated} == set(GONE) == set(OPERATIONS)
    whole = Counter(case.reach for case in cases if is_complete(case))
    assert whole["terminal_ileum"] / whole.total() == pytest.approx(0.6, abs=0.02)
    assert set(whole) == CAECUM_OR_ILEUM


def test_a_case_is_complete_with_nothing_resected_and_the_caecum_seen(cases):
    for case in cases:
        assert is_complete(case) == (case.operation is None and case.reach in CAECUM_OR_ILEUM)


def test_operated_bowel_is_seen_to_its_end_and_stays_operated(cases):
    operations = defaultdict(set)
    for case in cases:
        operations[case.patient_id].add(case.operation)
        if case.operation == "right_hemicolectomy":
            assert case.reach in {"terminal_ileum", "transverse_colon"}
        elif case.operation is not None:
            assert case.reach in CAECUM_OR_ILEUM
    assert {len(each) for each in operations.values()} == {1}


def test_extent_does_not_depend_on_the_lesions(cases):
    def share(group):
        return sum(map(is_complete, group)) / len(group)

    positive = [case for case in cases if case.lesions]
    normal = [case for case in cases if not case.lesions]
    assert share(positive) == pytest.approx(share(normal), abs=0.02)


def test_nothing_else_is_lost_by_default():
    case = replace(sample_cases(0, 1, seed=0, language="en")[0], reach="terminal_ileum")
    assert visited_regions(replace(case, operation=None)) == COLON_REGIONS
    assert seen_ranges("terminal_ileum", None) == REGION_CM


def test_sites_fill_a_single_region():
    sites = sample_sites(3, random.Random(1), {"rectum": (0.0, 8.0)})
    assert [site.region for site in sites] == ["rectum"] * 3
    assert all(2.0 <= site.distance_cm <= 7.5 for site in sites)
    assert sample_sites(0, random.Random(1)) == ()


def test_reach_is_never_a_region_that_was_taken_out():
    rng = random.Random(3)
    for operation in (None, *OPERATIONS):
        reaches = {sample_reach(operation, rng) for _ in range(400)}
        assert reaches.isdisjoint(GONE.get(operation, set()))
    assert {sample_operation(rng) for _ in range(3000)} == {None, *OPERATIONS}


@pytest.mark.parametrize(
    ("reach", "operation", "message"),
    [
        ("stomach", None, r"unknown reach 'stomach'; known regions: rectum, sigmoid_colon"),
        ("rectum", "whipple", r"unknown operation 'whipple'; known operations: right_hemi"),
        ("ileocecal", "right_hemicolectomy", r"'ileocecal' does not exist after 'right_hemi"),
    ],
)
def test_bad_extent_is_named(reach, operation, message):
    with pytest.raises(ValueError, match=message):
        seen_ranges(reach, operation)
    case = sample_cases(0, 1, seed=0, language="en")[0]
    with pytest.raises(ValueError, match=message):
        visited_regions(replace(case, reach=reach, operation=operation))
