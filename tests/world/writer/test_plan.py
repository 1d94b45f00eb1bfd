import random
from dataclasses import replace

import pytest

from endoalign.vocabulary import DESCRIPTORS
from endoalign.world.cases import sample_cases
from endoalign.world.centres import REPORT_STYLES
from endoalign.world.writer.habits import HABITS, habits_of
from endoalign.world.writer.plan import plan_report
from endoalign.world.writer.plan_lesion import DENIABLE, SALIENCE, spell_out, state_lesion
from endoalign.world.writer.statements import distance_is_clear, plain_finding, third_of


def plans(style, n=400):
    cases = sample_cases(n, n // 4, seed=2, language="en")
    return [(case, plan_report(case, HABITS[style], random.Random(case.seed))) for case in cases]


def test_tables_cover_the_vocabulary():
    assert set(HABITS) == set(REPORT_STYLES)
    assert set(SALIENCE) == set(DESCRIPTORS)
    assert set(DENIABLE) < set(DESCRIPTORS)


@pytest.mark.parametrize("style", REPORT_STYLES)
def test_every_lesion_once_and_nothing_untrue(style):
    for case, plan in plans(style):
        told = [lesion.lesion_id for each in plan.lesions for lesion in each.lesions]
        assert sorted(told) == [lesion.lesion_id for lesion in case.lesions]
        assert plan.lesion_regions.isdisjoint(plan.normal_regions)
        assert {place for _, place in plan.others}.isdisjoint(plan.normal_regions)
        for statement in plan.lesions:
            for lesion in statement.lesions:
                assert set(statement.descriptors) <= set(lesion.descriptors)
                assert set(statement.denied).isdisjoint(lesion.descriptors)
                assert statement.paris in {None, lesion.paris}
                assert statement.colour in {None, lesion.colour}
                assert statement.site is None or statement.site.region == lesion.region


@pytest.mark.parametrize("style", REPORT_STYLES)
def test_two_statements_of_a_report_differ_in_what_they_tell(style):
    for _, plan in plans(style, 800):
        signatures = [statement.signature for statement in plan.lesions]
        assert len(set(signatures)) == len(signatures)


def test_only_small_polyps_of_one_region_are_told_at_once():
    pairs = [s for _, plan in plans("telegraphic", 2000) for s in plan.lesions if s.count > 1]
    assert pairs
    for statement in pairs:
        assert statement.count == 2
        assert len({lesion.region for lesion in statement.lesions}) == 1
        assert max(lesion.size_cm for lesion in statement.lesions) <= 0.65
        assert statement.site is None or statement.site.form not in {"distance", "third"}


def test_flat_elevated_in_words_says_flat_as_well():
    flat = [
        statement
        for _, plan in plans("narrative", 1500)
        for statement in plan.lesions
        if statement.paris == "0-IIa" and statement.paris_form != "type"
    ]
    assert len(flat) > 50
    assert all("flat" in statement.descriptors for statement in flat)


def test_the_clock_tells_equal_statements_apart():
    case = next(c for c in sample_cases(50, 0, seed=1, language="en") if len(c.lesions) == 2)
    habits = replace(HABITS["numbered"], size=0.0, site=0.0, paris=0.0, colour=0.0)
    first, second = case.lesions
    twin = replace(second, descriptors=first.descriptors, clock=(first.clock + 3.0) % 12.0)
    a = replace(state_lesion((first,), habits, random.Random(4)), clock=None)
    b = replace(state_lesion((twin,), habits, random.Random(4)), clock=None)
    assert a.signature == b.signature
    assert a.signature != spell_out(b).signature
    assert 1 <= (spell_out(b).clock or 0) <= 12


def test_chinese_habits_write_centimetres_and_no_abbreviations():
    for style in REPORT_STYLES:
        english, chinese = habits_of(style, "en"), habits_of(style, "zh")
        assert english == HABITS[style]
        assert chinese.mm < english.mm
        assert not {"abbreviation", "adjective"} & set(chinese.site_forms)
        assert chinese.number_words == 0.0


@pytest.mark.parametrize(
    ("region", "distance", "clear"),
    [
        ("rectum", 2, True),
        ("rectum", 13, True),
        ("rectum", 14, False),
        ("sigmoid_colon", 16, False),
        ("sigmoid_colon", 17, True),
        ("splenic_flexure", 58, True),
        ("splenic_flexure", 61, False),
    ],
)
def test_a_distance_is_told_only_inside_its_region(region, distance, clear):
    assert distance_is_clear(region, distance) is clear


def test_thirds_run_from_the_anus_up():
    assert third_of("rectum", 2.0) == "distal"
    assert third_of("rectum", 7.5) == "mid"
    assert third_of("rectum", 14.0) == "proximal"
    assert third_of("rectum", 5.0) == ""  # too near the border of two thirds


def test_status_follows_kind_and_denial():
    assert plain_finding("other", None).status == 1
    assert plain_finding("normal", None).status == 0
    assert plain_finding("other", None, negated=True).status == 0
    assert plain_finding("lesion", "rectum", negated=True).status == 0
