"""What reports say of how far the endoscope went, against small readers of their words."""

import re
from collections import Counter, defaultdict
from functools import cache
from unittest.mock import patch

import pytest

from endoalign.world import cases_extent
from endoalign.world.cases import sample_cases
from endoalign.world.cases_sites import is_complete, visited_regions
from endoalign.world.centres import CENTRES, REPORT_STYLES
from endoalign.world.writer import report as report_module
from endoalign.world.writer.report import write_report

SITES = {
    "en": {
        "terminal_ileum": r"\bileum\b|\bileal\b|\bTI\b",
        "ileocecal": r"ca?ecum|ca?ecal|appendiceal",
        "ascending_colon": r"\bascending|\bAC\b",
        "hepatic_flexure": r"hepatic|\bHF\b",
        "transverse_colon": r"transverse|\bTC\b",
        "splenic_flexure": r"splenic|\bSF\b",
        "descending_colon": r"descending|\bDC\b",
        "sigmoid_colon": r"sigmoid|\bSC\b",
        "rectum": r"rectum|rectal\b",
    },
    "zh": {
        "terminal_ileum": r"回肠",
        "ileocecal": r"回盲|盲肠|阑尾",
        "ascending_colon": r"升结肠",
        "hepatic_flexure": r"肝曲",
        "transverse_colon": r"横结肠",
        "splenic_flexure": r"脾曲",
        "descending_colon": r"降结肠",
        "sigmoid_colon": r"乙状结肠",
        "rectum": r"直肠",
    },
}
# Words that name a region without telling of it: not reached, taken out, or long ago.
UNTOLD = {
    "en": r"ca?ecum was not (?:reached|intubated)|sigmoid (?:resection|colectomy)|sigmoidectomy"
    r"|resection of the sigmoid colon|12 mm sigmoid polyp removed",
    "zh": r"未达回盲部|乙状结肠(?:切除术|癌根治术)",
}
STOPPED = {
    "en": r"incomplete|could not|prevented|abandoned|stopped|ended at|not allow"
    r"|not tolerated|unable",
    "zh": r"未能|无法|不能|未继续|未完成|终止|未达",
}
JOINED = {"en": r"anastomosis", "zh": r"吻合口"}
NARROW = {"en": r"stenosis|narrowing", "zh": r"狭窄"}
WHOLE = {
    "en": r"entire colon|whole colon|throughout|normal colonoscopy|remainder of the colon"
    r"|[Nn]ormal colon\b|polyps were found in the colon",
    "zh": r"全结肠|所见全",
}
DISTANCE = {"en": r"\d+ cm (?:from|ab)|\bat \d+ cm|(?:colon|flexure|[A-Z]C) \d+ cm", "zh": r"距肛"}
LEFT = {"sigmoid_colon", "rectum"}
BELOW_THE_CUT = {
    "right_hemicolectomy": LEFT | {"transverse_colon", "splenic_flexure", "descending_colon"},
    "left_hemicolectomy": LEFT,
    "sigmoid_resection": {"rectum"},
    "low_anterior_resection": {"rectum"},
}


@pytest.fixture(scope="module", params=["en", "zh"])
def language(request):
    return request.param


@cache
def written_in(language):
    """Cases of which most are incomplete or operated, and their reports without typing errors."""
    with (
        patch.object(cases_extent, "OPERATED_SHARE", 0.4),
        patch.object(cases_extent, "INCOMPLETE_SHARE", 0.6),
        patch.object(report_module, "TYPO_SHARE", 0.0),
    ):
        cases = sample_cases(1100, 500, seed=31, language=language)
        return [(case, write_report(case)) for case in cases]


@pytest.fixture(scope="module")
def written(language):
    return written_in(language)


def is_stopped(case):
    return case.operation is None and not is_complete(case)


def test_no_statement_tells_of_a_region_that_was_not_seen(written):
    for case, report in written:
        regions = {finding.region for finding in report.findings} - {None}
        assert regions <= set(visited_regions(case)), report.text


def test_no_word_of_the_text_tells_of_a_region_that_was_not_seen(written, language):
    for case, report in written:
        text = re.sub(UNTOLD[language], "", report.text)
        for region, pattern in SITES[language].items():
            if region not in visited_regions(case):
                assert not re.search(pattern, text), report.text


def test_the_ileum_is_told_of_where_it_was_reached_and_only_there(written, language):
    for case, report in written:
        told = re.search(SITES[language]["terminal_ileum"], report.text) is not None
        assert told == (case.reach == "terminal_ileum"), report.text


def test_a_stop_is_told_in_every_style_with_its_place(written, language):
    styles = Counter()
    for case, report in written:
        assert (re.search(STOPPED[language], report.text, re.I) is not None) == is_stopped(case)
        if is_stopped(case):
            assert re.search(SITES[language][case.reach], report.text, re.I), report.text
            styles[CENTRES[case.source].report_style] += 1
    assert min(styles[style] for style in REPORT_STYLES) > 50


def test_an_operation_is_told_in_every_style_and_its_join_is_no_finding(written, language):
    styles = Counter()
    for case, report in written:
        operated = case.operation is not None
        assert (re.search(JOINED[language], report.text, re.I) is not None) == operated
        for finding in report.findings:
            assert not re.search(JOINED[language], report.text[finding.start : finding.end], re.I)
        styles[CENTRES[case.source].report_style] += operated
    assert min(styles[style] for style in REPORT_STYLES) > 50


def test_a_stenosis_is_one_finding_where_the_endoscope_stopped(written, language):
    found = 0
    for case, report in written:
        words = [(f, report.text[f.start : f.end]) for f in report.findings]
        narrow = [f for f, text in words if re.search(NARROW[language], text, re.I)]
        assert len(narrow) == (re.search(NARROW[language], report.text, re.I) is not None)
        for finding in narrow:
            assert is_stopped(case)
            assert (finding.kind, finding.region, finding.status) == ("other", case.reach, 1)
            named = report.text[finding.start : finding.end]
            assert re.search(SITES[language][case.reach], named), named
            normal = {f.region for f in report.findings if f.kind == "normal"}
            assert case.reach not in normal
            found += 1
    assert found > 60


def test_only_a_whole_colon_is_called_so(written, language):
    called = Counter()
    for case, report in written:
        if re.search(WHOLE[language], report.text):
            called[is_complete(case)] += 1
    assert called[True] > 30
    assert called[False] == 0


def test_above_a_cut_no_distance_is_told(written, language):
    told = 0
    for case, report in written:
        if case.operation is not None:
            for finding in report.findings:
                words = report.text[finding.start : finding.end]
                if finding.lesion_ids and re.search(DISTANCE[language], words):
                    assert finding.region in BELOW_THE_CUT[case.operation], words
                    told += 1
    assert told > 20


def test_a_poor_preparation_fits_the_reason_of_the_stop(written, language):
    poor = {"en": r"\b[Pp]oor\b|[Ii]nadequate", "zh": r"肠道准备(?:差|不佳)"}[language]
    stool = {"en": r"stool|poor", "zh": r"粪便(?!隐血)"}[language]
    found = [(case, report.text) for case, report in written if re.search(poor, report.text)]
    assert len(found) > 60
    for case, text in found:
        assert is_stopped(case)
        assert re.search(stool, text), text


def test_stops_and_operations_are_told_in_varied_words(written, language):
    said = defaultdict(set)
    for _, report in written:
        for kind, pattern in (("stop", STOPPED), ("join", JOINED)):
            for sentence in re.split(r"[.。\n]", report.text):
                if re.search(pattern[language], sentence, re.I):
                    masked = sentence.strip()
                    for name in SITES[language].values():
                        masked = re.sub(name, "", masked)
                    said[kind].add(masked)
    assert len(said["stop"]) > 25
    assert len(said["join"]) > 25
