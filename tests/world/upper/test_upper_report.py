"""Reports of gastroscopies: every region told once, offsets, states that are true, the parser."""

from collections import Counter
from dataclasses import replace
from unittest.mock import patch

import pytest

from endoalign.reports.parser import parse_report
from endoalign.vocabulary import UPPER_REGIONS
from endoalign.world.cases import sample_cases
from endoalign.world.cases_sites import visited_regions
from endoalign.world.upper.cases import sample_upper_cases
from endoalign.world.upper.extent import seen_regions
from endoalign.world.whole import as_whole
from endoalign.world.writer import upper as upper_module
from endoalign.world.writer.report import write_report
from endoalign.world.writer.upper import write_upper_report
from endoalign.world.writer.upper_plan import upper_phrases

WORDS = {
    "en": {
        "erosion": "erosion",
        "ulcer": "ulcer",
        "polyp": "polyp",
        "redness": "erythema",
        "atrophy": "atroph",
        "bile": "bile",
        "varices": "varices",
    },
    "zh": {
        "erosion": "糜烂",
        "ulcer": "溃疡",
        "polyp": "息肉",
        "redness": "充血",
        "atrophy": "萎缩",
        "bile": "胆汁",
        "varices": "静脉曲张",
    },
}


@pytest.fixture(scope="module", params=["en", "zh"])
def language(request):
    return request.param


@pytest.fixture(scope="module")
def written(language):
    cases = sample_upper_cases(160, 40, seed=21, language=language)
    with patch.object(upper_module, "TYPO_SHARE", 0.0):
        return [(case, write_upper_report(case)) for case in cases]


def test_each_region_seen_is_told_as_what_it_is(written):
    for case, report in written:
        abnormal = {finding.region for finding in case.findings}
        told = Counter(f.region for f in report.findings if f.status == 0)
        assert set(told) == set(seen_regions(case.reach, case.operation)) - abnormal
        assert set(told.values()) <= {1}
        assert all(f.kind == "normal" for f in report.findings if f.status == 0)
        named = Counter(f.lesion_ids for f in report.findings if f.status == 1)
        assert named == Counter((finding.finding_id,) for finding in case.findings)


def test_offsets_hold_the_words_of_the_finding(written, language):
    for case, report in written:
        findings = {finding.finding_id: finding for finding in case.findings}
        ends = 0
        for stated in report.findings:
            assert ends <= stated.start < stated.end <= len(report.text)
            ends = stated.end
            if stated.status == 1:
                finding = findings[stated.lesion_ids[0]]
                words = report.text[stated.start : stated.end]
                assert WORDS[language][finding.kind] in words.lower()
                assert stated.region == finding.region
                assert stated.kind == ("lesion" if finding.kind == "polyp" else "other")


def test_stated_attributes_are_true_and_sizes_in_the_words(written):
    for case, report in written:
        findings = {finding.finding_id: finding for finding in case.findings}
        for stated in report.findings:
            if stated.size_cm is not None:
                finding = findings[stated.lesion_ids[0]]
                words = report.text[stated.start : stated.end]
                assert abs(stated.size_cm - finding.size_cm) <= 0.0501
                assert f"{stated.size_cm:g}" in words or f"{10 * stated.size_cm:g}" in words
            if stated.paris or stated.descriptors:
                lesion = findings[stated.lesion_ids[0]].lesion
                assert stated.paris in {None, lesion.paris}
                assert set(stated.descriptors) <= set(lesion.descriptors)


def test_the_parser_reads_region_and_status(language):
    right = stated = read = 0
    for case in sample_upper_cases(80, 20, seed=22, language=language):
        report = write_upper_report(case)
        truth = Counter((f.region, f.status) for f in report.findings)
        found = Counter((f.region, f.status) for f in parse_report(report.text, language).findings)
        right += sum((truth & found).values())
        stated, read = stated + sum(truth.values()), read + sum(found.values())
    assert 2 * right / (stated + read) >= 0.95


def test_incomplete_and_operated_cases_are_told_as_such(language):
    case = next(
        each
        for each in sample_upper_cases(40, 10, seed=3, language=language)
        if not each.findings and each.operation is None
    )
    whole = write_upper_report(replace(case, reach="duodenum"))
    assert parse_report(whole.text, language).eligibility.eligible
    for change in ({"reach": "body"}, {"reach": "body", "operation": "distal_gastrectomy"}):
        report = write_upper_report(replace(case, **change))
        eligibility = parse_report(report.text, language).eligibility
        assert not eligibility.eligible
        assert {f.region for f in report.findings} == set(UPPER_REGIONS[:4])


def test_the_same_case_is_told_in_the_same_words_and_errors_are_told():
    case = sample_upper_cases(3, 0, seed=1, language="en")[0]
    assert write_upper_report(case) == write_upper_report(case)
    with pytest.raises(ValueError, match="unknown centre 'nowhere'"):
        write_upper_report(replace(case, source="nowhere"))
    with pytest.raises(ValueError, match="unknown language 'fr'"):
        write_upper_report(replace(case, language="fr"))


def test_every_region_and_kind_has_phrases(language):
    bank = upper_phrases(language)
    for topic in ("normal_line", "normal_prose") if language == "en" else ("normal",):
        assert set(bank[topic]) == {"any", *UPPER_REGIONS}
    assert set(bank["sites"]) == set(UPPER_REGIONS)
    assert set(bank["names"]) == set(WORDS[language])


def test_whole_colonoscopies_tell_of_each_region_and_nothing_unseen(language):
    for case in map(as_whole, sample_cases(60, 20, seed=8, language=language)):
        report = write_report(case, whole=True)
        told = {f.region for f in report.findings if f.region and not f.negated}
        assert told == set(visited_regions(case))
        stenosis = case.reach if case.reach not in {"terminal_ileum", "ileocecal"} else None
        for finding in report.findings:
            if finding.kind == "other" and not finding.negated:
                assert finding.region == stenosis
