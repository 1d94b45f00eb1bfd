import pytest

from endoalign.reports import parse_report
from endoalign.reports.lexicon import load_lexicon
from endoalign.reports.normalise import normalise
from endoalign.reports.sizes import MeasureFinder

ENGLISH, CHINESE = (MeasureFinder(load_lexicon(language)) for language in ("en", "zh"))


def lengths(text, finder=ENGLISH):
    lower = normalise(text).lower
    return [(m.kind, m.cm, lower[m.start : m.end]) for m in finder.find(lower)]


@pytest.mark.parametrize(
    ("text", "cm"),
    [
        ("a 5 mm polyp", 0.5),
        ("a 5mm polyp", 0.5),
        ("a 5-mm polyp", 0.5),
        ("a 1.5-cm polyp", 1.5),
        ("a .5 cm polyp", 0.5),
        ("a 0,5 cm polyp", 0.5),
        ("3-5 mm", 0.5),
        ("a 3 to 5 mm polyp", 0.5),
        ("2- to 3-mm polyp", 0.3),
        ("1 mm to 2 mm", 0.2),
        ("4x3 mm", 0.4),
        ("4 × 3 mm", 0.4),
        ("0.4*0.3cm", 0.4),
        ("1.2 cm x 1 cm", 1.2),
        ("8 by 7 mm", 0.8),
        ("12 x 10 x 8 mm", 1.2),
        ("８ｍｍ polyp", 0.8),
        ("12 millimetres", 1.2),
    ],
)
def test_a_size_is_its_largest_number_in_cm(text, cm):
    [(kind, value, _)] = lengths(text)
    assert (kind, value) == ("size", pytest.approx(cm))


@pytest.mark.parametrize(
    ("text", "cm"),
    [("大小约0.4*0.3cm", 0.4), ("直径５毫米", 0.5), ("1.2厘米", 1.2), ("0.6~0.8cm", 0.8)],
)
def test_chinese_sizes(text, cm):
    [(kind, value, _)] = lengths(text, CHINESE)
    assert (kind, value) == ("size", pytest.approx(cm))


@pytest.mark.parametrize(
    "text",
    [
        "removed with a 15 mm snare",
        "a 165 cm colonoscope",
        "intubated for a 5 cm extent",
        "an 18 mm balloon",
        "6 minutes",
        "3 mcg of Versed",
        "100 mg",
        "0 mm",
        "2 mmHg",
        "T2N0",
    ],
)
def test_lengths_of_other_things_are_no_sizes(text):
    assert lengths(text) == []


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("at 35 cm from the anal verge", "35 cm from the anal verge"),
        ("polyp 20 cm from the anus", "20 cm from the anus"),
        ("advanced to 90 cm", "90 cm"),
        ("seen at 2 cm", "2 cm"),
    ],
)
def test_distances_take_their_words_along(text, evidence):
    [(kind, _, found)] = lengths(text)
    assert (kind, found) == ("distance", evidence)


def test_a_depth_beside_a_size():
    found = lengths("rectum 52 cm - 4 x 3 mm polyp")
    assert [(cm, text) for _, cm, text in found] == [(0.4, "4 x 3 mm")]
    found = lengths("距肛门25cm见0.5cm息肉", CHINESE)
    assert [(kind, cm) for kind, cm, _ in found] == [("distance", 25.0), ("size", 0.5)]


@pytest.mark.parametrize(
    ("text", "cm"),
    [
        ("A diminutive polyp in the rectum.", 0.5),
        ("A diminutive 3 mm polyp in the rectum.", 0.3),
        ("A diminutive polyp in the rectum. It measured 4 mm.", 0.4),
        ("A polyp in the rectum, half a centimeter.", 0.5),
        ("A five-millimetre polyp in the rectum.", 0.5),
        ("A tiny polyp in the rectum.", None),
        ("Polyps from 3 to 8 mm in the rectum.", 0.8),
        ("A 6 mm polyp in the rectum was removed with a 10 mm snare.", 0.6),
        ("A 4 mm polyp in rectum 7 cm, flat.", 0.4),
        ("Rectum 3 cm: small polyp, flat.", None),
        ("直肠见一枚米粒大息肉。", 0.3),
    ],
)
def test_sizes_of_findings(text, cm):
    [finding] = parse_report(text).findings
    assert (finding.size_cm.value if finding.size_cm else None) == (
        None if cm is None else pytest.approx(cm)
    )
