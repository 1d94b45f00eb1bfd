"""What a report states against small independent readers: sizes, types, sites, descriptors."""

import re
from functools import cache
from unittest.mock import patch

import pytest

from endoalign.world.cases import sample_cases
from endoalign.world.centres import CENTRES
from endoalign.world.writer import report as report_module
from endoalign.world.writer.report import write_report

DESCRIPTORS = {
    "en": {
        "congestion": r"congested|hypera?emic",
        "smooth": r"smooth",
        "rough": r"\brough",
        "granular": r"granular",
        "nodular": r"nodular",
        "lobulated": r"lobulated",
        "villous": r"villous",
        "erosion": r"erosion|eroded",
        "ulceration": r"ulcer",
        "bleeding": r"bleeding|blood|bleeds|bled|oozing",
        "mucus_attachment": r"mucus",
        "white_coating": r"white|whitish",
        "flat": r"\bflat",
        "central_depression": r"depress",
        "irregular_shape": r"irregular",
        "narrow_base": r"narrow",
        "broad_base": r"broad|wide",
        "well_defined_margin": r"well[- ](?:defined|demarcated|circumscribed)|clear|sharp",
        "ill_defined_margin": r"ill[- ]defined|indistinct|poorly",
    },
    "zh": {
        "congestion": r"充血",
        "smooth": r"光滑",
        "rough": r"粗糙",
        "granular": r"颗粒",
        "nodular": r"结节",
        "lobulated": r"分叶",
        "villous": r"绒毛",
        "erosion": r"糜烂",
        "ulceration": r"溃疡",
        "bleeding": r"出血|渗血",
        "mucus_attachment": r"黏液",
        "white_coating": r"白苔",
        "flat": r"扁平",
        "central_depression": r"凹陷",
        "irregular_shape": r"不规则",
        "narrow_base": r"基底较?窄",
        "broad_base": r"基底较?宽|宽基底",
        "well_defined_margin": r"边界清",
        "ill_defined_margin": r"边界(?:不|欠)清",
    },
}
DENIED = {
    "en": r"(?:no|without) (?:erosion|ulceration|bleeding|central depression)"
    r"(?: or (?:ulceration|bleeding|central depression))?",
    "zh": r"(?:未见明显|未见|无)(?:糜烂|溃疡|出血|凹陷)(?:及(?:溃疡|出血|凹陷))?",
}
PARIS = {
    "en": [
        ("0-Isp", r"\b(?:0-)?Isp\b|[Ss]emi-?pedunculated|[Ss]ubpedunculated"),
        ("0-Ip", r"\b(?:0-)?Ip\b|(?<![Ss]emi)(?<![Ss]ub)(?<!emi-)[Pp]edunculated"),
        ("0-Is", r"\b(?:0-)?Is\b|[Ss]essile"),
        ("0-IIa", r"\b(?:0-)?IIa\b|[Ff]lat[- ]elevated"),
    ],
    "zh": [
        ("0-Isp", r"[IⅠ]sp|亚蒂"),
        ("0-Ip", r"[IⅠ]p|(?:有|带|长)蒂"),
        ("0-Is", r"[IⅠ]s(?!p)|无蒂"),
        ("0-IIa", r"(?:II|Ⅱ)a|扁平隆起"),
    ],
}
SITES = {
    "en": {
        "terminal_ileum": r"ileum|ileal|\bTI\b",
        "ileocecal": r"ca?ecum|ca?ecal|ileoca?ecal",
        "ascending_colon": r"\bascending|\bAC\b",
        "hepatic_flexure": r"hepatic|\bHF\b",
        "transverse_colon": r"transverse|\bTC\b",
        "splenic_flexure": r"splenic|\bSF\b",
        "descending_colon": r"descending|\bDC\b",
        "sigmoid_colon": r"sigmoid|\bSC\b",
        "rectum": r"rectum|rectal",
    },
    "zh": {
        "terminal_ileum": r"回肠",
        "ileocecal": r"回盲部|盲肠",
        "ascending_colon": r"升结肠",
        "hepatic_flexure": r"肝曲",
        "transverse_colon": r"横结肠",
        "splenic_flexure": r"脾曲",
        "descending_colon": r"降结肠",
        "sigmoid_colon": r"乙状结肠",
        "rectum": r"直肠",
    },
}
RANGES = {"rectum": (0, 15), "sigmoid_colon": (15, 40), "descending_colon": (40, 55)}
RANGES |= {"splenic_flexure": (55, 62), "transverse_colon": (62, 95)}
DISTANCE = {
    "en": r"(?:at )?(\d+) cm (?:from|above|ab ano)|\bat (\d+) cm\b"
    r"|(?:^|in )(?:[A-Z]{2}|[A-Za-z]{2,}(?: colon| flexure| ileum)?) (\d+) cm\b",
    "zh": r"距肛[门缘]约?(\d+)cm",
}
NUMBER_WORDS = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]


def sizes_read(text, language):
    """Largest number of each size in a text, in mm; distances and clock hours left out."""
    text = re.sub(DISTANCE[language], "", text, flags=re.IGNORECASE)
    for value, word in enumerate(NUMBER_WORDS, start=1):
        text = re.sub(rf"\b{word}[- ]millimet(?:re|er)s?", f"{value} mm", text, flags=re.IGNORECASE)
    glue = r"(?: ?[x×*] ?| by |[-~]| to )"
    pattern = rf"(\d+(?:\.\d+)?)(?:[cm]m)?(?:{glue}(\d+(?:\.\d+)?))?[- ]?([cm]m)"
    found = re.findall(pattern, text)
    return [max(float(n) for n in (a, b) if n) * (10 if u == "cm" else 1) for a, b, u in found]


def distances_read(text, language):
    return [int(match[match.lastindex]) for match in re.finditer(DISTANCE[language], text)]


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


def test_stated_sizes_are_the_numbers_in_the_words(statements, language):
    for _, finding, words in statements:
        expected = [] if finding.size_cm is None else [10 * finding.size_cm]
        assert sizes_read(words, language) == pytest.approx(expected), words


def test_stated_sizes_are_true_to_the_lesions(statements):
    lesions = {each.lesion_id: each for case, _, _ in statements for each in case.lesions}
    for _, finding, words in statements:
        if finding.size_cm is not None:
            largest = max(lesions[name].size_cm for name in finding.lesion_ids)
            assert -0.051 <= finding.size_cm - largest < 0.201, words


def test_stated_types_are_in_the_words_and_true(statements, language):
    lesions = {each.lesion_id: each for case, _, _ in statements for each in case.lesions}
    for _, finding, words in statements:
        read = {name for name, pattern in PARIS[language] if re.search(pattern, words)}
        assert read == ({finding.paris} if finding.paris else set()), words
        if finding.paris:
            assert {lesions[name].paris for name in finding.lesion_ids} == {finding.paris}


def test_stated_descriptors_are_exactly_those_in_the_words(statements, language):
    lesions = {each.lesion_id: each for case, _, _ in statements for each in case.lesions}
    for _, finding, words in statements:
        affirmed = re.sub(DENIED[language], "", words)
        patterns = DESCRIPTORS[language].items()
        read = {k for k, pattern in patterns if re.search(pattern, affirmed, re.IGNORECASE)}
        assert read == set(finding.descriptors), words
        for name in finding.lesion_ids:
            assert read <= set(lesions[name].descriptors)


def test_sites_are_told_by_name_or_distance_and_true(statements, language):
    lesions = {each.lesion_id: each for case, _, _ in statements for each in case.lesions}
    for _, finding, words in statements:
        regions = {lesions[name].region for name in finding.lesion_ids}
        assert len(regions) == 1
        assert finding.region in {None, *regions}
        distances = distances_read(words, language)
        if finding.region is None:
            named = [pattern for pattern in SITES[language].values() if re.search(pattern, words)]
            assert not named, words
            assert not distances, words
        for distance in distances:
            low, high = RANGES[finding.region]
            assert low + 2 <= distance <= high - 2
            assert abs(distance - lesions[finding.lesion_ids[0]].distance_cm) <= 0.5


def test_sites_are_named_in_the_words_or_heard_from_the_heading(written, language):
    """A later statement of a paragraph headed by its region may leave the name to the heading."""
    for case, report in written:
        for finding in report.findings:
            if finding.region is None:
                continue
            line = report.text.rfind("\n", 0, finding.start) + 1
            start = line if CENTRES[case.source].report_style == "segments" else finding.start
            words = report.text[start : finding.end]
            told = re.search(SITES[language][finding.region], words, re.IGNORECASE)
            assert told or distances_read(words, language), words
