from hypothesis import given, settings
from hypothesis import strategies as st

from endoalign.reports import parse_report
from endoalign.vocabulary import DESCRIPTORS, FINDING_KINDS, PARIS_TYPES, REGIONS

FRAGMENTS = st.sampled_from(
    [
        *("A ", "5 mm ", "4x3 mm ", "sessile ", "polyp", "polyps", " in the rectum", "sigmiod"),
        *("No ", "without ", "was normal", ". ", "\n", "\n\n", "FINDINGS: ", "IMPRESSION:", "; "),
        *("35 cm from the anal verge", "0-IIa", "Is", "two ", "It was ", "both ", "½", "İ", "ß"),
        *(
            "直肠",
            "见一枚",
            "息肉",
            "，",
            "。",
            "未见",
            "0.5cm",
            "：",
            "诊断：",
            "（-）",
            "距肛门25cm",
        ),
        *("1. ", "•", "x3", "(5)", "normal", "diverticula", " and ", " but ", "３ｍｍ", "\u0000"),
    ]
)
TEXTS = st.one_of(st.text(), st.lists(FRAGMENTS, max_size=25).map("".join))


def spans(finding):
    values = (finding.negated, finding.site, finding.count, finding.size_cm, finding.paris)
    yield finding.start, finding.end
    for value in (*values, *finding.descriptors):
        if value is not None:
            yield value.start, value.end


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from([None, "en", "zh"]))
def test_any_text_parses_and_spans_lie_inside(text, language):
    report = parse_report(text, language)
    assert report.text == text
    for start, end in report.sentences:
        assert 0 <= start < end <= len(text)
    for finding in report.findings:
        assert finding.kind in FINDING_KINDS
        assert finding.start < finding.end
        assert all(0 <= start <= end <= len(text) for start, end in spans(finding))
        assert set(finding.regions) <= set(REGIONS)
        assert finding.paris is None or finding.paris.value in PARIS_TYPES
        assert {v.value for v in finding.descriptors} <= set(DESCRIPTORS)
        assert finding.size_cm is None or finding.size_cm.value > 0
        assert finding.status == int(finding.kind != "normal" and not finding.negated.value)
        if finding.site:
            assert finding.site.value == text[finding.site.start : finding.site.end]


@settings(max_examples=50, deadline=None)
@given(TEXTS)
def test_parsing_twice_gives_the_same(text):
    assert parse_report(text) == parse_report(text)
