"""The report as a text: its statements, its language, its errors and its repeatability."""

import hashlib
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from unittest.mock import patch

import pytest

from endoalign.world.cases import sample_cases
from endoalign.world.centres import CENTRES
from endoalign.world.writer import report as report_module
from endoalign.world.writer.report import write_report

DENIED = {
    "en": r"(?:no|without) (?:erosion|ulceration|bleeding|central depression)"
    r"(?: or (?:ulceration|bleeding|central depression))?",
    "zh": r"(?:未见明显|未见|无)(?:糜烂|溃疡|出血|凹陷)(?:及(?:溃疡|出血|凹陷))?",
}


@pytest.fixture(scope="module", params=["en", "zh"])
def language(request):
    return request.param


@cache
def written_in(language):
    """Cases with their reports, without typing errors: the readers here forgive none."""
    cases = sample_cases(1500, 500, seed=11, language=language)
    with patch.object(report_module, "TYPO_SHARE", 0.0):
        return [(case, write_report(case)) for case in cases]


@pytest.fixture(scope="module")
def written(language):
    return written_in(language)


@pytest.fixture(scope="module")
def statements(written):
    """Each affirmed lesion statement: its case, the finding, its words."""
    return [
        (case, finding, report.text[finding.start : finding.end])
        for case, report in written
        for finding in report.findings
        if finding.kind == "lesion" and not finding.negated
    ]


def test_findings_lie_in_order_inside_the_text(written):
    for _, report in written:
        end = 0
        for finding in report.findings:
            assert end <= finding.start < finding.end <= len(report.text)
            end = finding.end
            words = report.text[finding.start : finding.end]
            assert words == words.strip(" ,.;，。；")
        assert "⟦" not in report.text
        assert "⟧" not in report.text
        assert "{" not in report.text
        assert "  " not in report.text


def test_every_lesion_is_stated_exactly_once(written):
    for case, report in written:
        stated = [name for finding in report.findings for name in finding.lesion_ids]
        assert sorted(stated) == [lesion.lesion_id for lesion in case.lesions]
        for finding in report.findings:
            lesion = finding.kind == "lesion" and not finding.negated
            assert finding.count == (len(finding.lesion_ids) if lesion else None)
            assert finding.status == int(
                lesion or (finding.kind == "other" and not finding.negated)
            )


def test_two_small_polyps_are_stated_at_once_now_and_then(statements, language):
    double = [words for _, finding, words in statements if finding.count == 2]
    assert double
    number = {"en": r"\btwo\b|\b2\b", "zh": r"[2两]枚"}[language]
    assert all(re.search(number, words, re.IGNORECASE) for words in double)


def test_a_normal_case_has_no_lesion_and_a_clear_denial(written):
    normal = [report for case, report in written if not case.lesions]
    assert len(normal) == 500
    for report in normal:
        lesions = [finding for finding in report.findings if finding.kind == "lesion"]
        assert lesions
        assert all(finding.negated and finding.status == 0 for finding in lesions)


def test_earlier_polyps_are_told_outside_every_finding(written, language):
    pattern = {
        "en": r"history of|[Pp]revious polypectomy|[Pp]rev polyps|[Hh]x of polyps|adenomas \d{4}",
        "zh": r"息肉病史|息肉切除",
    }[language]
    told = 0
    for _, report in written:
        for match in re.finditer(pattern, report.text):
            told += 1
            spans = ((finding.start, finding.end) for finding in report.findings)
            assert not any(start <= match.start() < end for start, end in spans)
    assert told > 100


def test_no_region_of_a_lesion_is_called_normal_or_free_of_polyps(written):
    for case, report in written:
        regions = {lesion.region for lesion in case.lesions}
        clear = [f for f in report.findings if f.kind == "normal" or f.negated]
        assert regions.isdisjoint(finding.region for finding in clear)


def test_no_two_lesions_of_a_case_share_their_sentence(written):
    for case, report in written:
        words = [report.text[f.start : f.end] for f in report.findings if f.lesion_ids]
        assert len(set(words)) == len(words), case.case_id


def test_a_statement_tells_a_lesion_from_two_hundred(statements):
    sentences = [words for _, _, words in statements[:200]]
    assert len(set(sentences)) == 200


def test_shares_of_what_is_stated(statements, language):
    def share(told):
        return sum(map(told, (finding for _, finding, _ in statements))) / len(statements)

    assert share(lambda finding: finding.size_cm is not None) == pytest.approx(0.93, abs=0.02)
    assert share(lambda finding: finding.region is not None) > 0.96
    assert 0.55 < share(lambda finding: finding.paris is not None) < 0.85
    assert share(lambda finding: 1 <= len(finding.descriptors) <= 6) > 0.97
    denied = [words for _, _, words in statements if re.search(DENIED[language], words)]
    assert 0.1 < len(denied) / len(statements) < 0.35


def test_english_articles_and_numbers_agree():
    text = "\n".join(report.text for _, report in written_in("en"))
    for wrong in (
        r"\ba (?:[aeio]|u(?!ni)|8 |8-|8\.|11 |11-|18 |18-)",
        r"\ban (?:[bcdfgjklmnpqrstvwxyz]|[0-79]\.|[2-79] )",
        r"\btwo [^.;\n]*\bpolyp\b",
        r"\b(?:there was|There was) two\b",
        r" [,.;:]",
        r",,|\.\.|;;|,\.",
        r"\b(\w+) \1\b",
    ):
        assert not re.search(wrong, text), re.search(rf".*{wrong}.*", text)


def test_chinese_punctuation():
    text = "\n".join(report.text for _, report in written_in("zh"))
    for wrong in (
        "，，",
        "。。",
        "，。",
        "；。",
        "：，",
        "见见",
        "于于",
        "处处",
        "的的",
        "：见：",
        " ，",
    ):
        assert wrong not in text, text[text.find(wrong) - 30 : text.find(wrong) + 10]


def test_spelling_follows_the_centre():
    for case, report in written_in("en"):
        american = CENTRES[case.source].american
        british_words = r"[Cc]aec|[Hh]aemor|colour|millimetre|faecal|anaemia|tumour"
        american_words = r"\b[Cc]ec|\b[Hh]emor|\bcolor\b|millimeter|\bfecal|anemia|tumor\b"
        assert not re.search(british_words if american else american_words, report.text)


def test_same_case_same_report_and_another_seed_another():
    case = sample_cases(1, 0, seed=5, language="en")[0]
    assert write_report(case) == write_report(case)
    assert write_report(case).text != write_report(replace(case, seed=case.seed + 1)).text


def test_same_bytes_in_another_process():
    program = (
        "import hashlib\n"
        "from endoalign.world.cases import sample_cases\n"
        "from endoalign.world.writer.report import write_report\n"
        "cases = sample_cases(60, 20, seed=9, language='mixed')\n"
        "print(hashlib.sha256(repr([(c, write_report(c)) for c in cases]).encode()).hexdigest())\n"
    )
    cases = sample_cases(60, 20, seed=9, language="mixed")
    here = hashlib.sha256(repr([(c, write_report(c)) for c in cases]).encode()).hexdigest()
    environment = os.environ | {"PYTHONHASHSEED": "12345"}
    there = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, check=True, text=True
    )
    assert there.stdout.strip() == here


def test_one_report_in_ten_has_one_typing_error(language):
    cases = sample_cases(600, 200, seed=13, language=language)
    reports = [write_report(case) for case in cases]
    with patch.object(report_module, "TYPO_SHARE", 0.0):
        clean = [write_report(case) for case in cases]
    differ = [(a, b) for a, b in zip(reports, clean, strict=True) if a.text != b.text]
    assert 0.06 < len(differ) / len(cases) < 0.14
    for typed, meant in differ:
        assert re.findall(r"\d+", typed.text) == re.findall(r"\d+", meant.text)
        assert [replace(f, start=0, end=0) for f in typed.findings] == [
            replace(f, start=0, end=0) for f in meant.findings
        ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"language": "fr"}, r"unknown language 'fr'; known languages: en, zh"),
        ({"source": "centre_z"}, r"unknown centre 'centre_z'; known centres: centre_a"),
    ],
)
def test_unknown_names_are_refused(change, message):
    case = replace(sample_cases(1, 0, seed=0, language="en")[0], **change)
    with pytest.raises(ValueError, match=message):
        write_report(case)


def test_every_style_in_every_language(language):
    case = sample_cases(1, 0, seed=21, language=language)[0]
    texts = {write_report(replace(case, source=name)).text for name in CENTRES}
    assert len(texts) >= 5
