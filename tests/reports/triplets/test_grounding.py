import pytest

from endoalign.reports.triplets.grounding import find_ground

REPORT = (
    "Indication: anaemia. The sigmoid and descending colon were normal. A 5 mm sessile polyp was "
    "removed from the rectum. No diverticula in the caecum."
)
CHINESE = "食管：黏膜光滑。胃窦：见一大小约０.５cm息肉，表面充血。十二指肠未见溃疡。"


@pytest.mark.parametrize(
    ("proposition", "ground"),
    [
        ("A 5 mm sessile polyp", "5 mm sessile polyp"),
        ("a 5mm SESSILE polyp in the rectum", "5 mm sessile polyp was removed from the rectum"),
        ("Sigmoid was normal", "sigmoid and descending colon were normal"),
        ("No diverticula in the caecum", "No diverticula in the caecum"),
    ],
)
def test_grounded(proposition, ground):
    start, end = find_ground(proposition, REPORT, 0.8)
    assert REPORT[start:end] == ground


def test_grounded_in_chinese_across_widths():
    start, end = find_ground("胃窦见0.5cm息肉", CHINESE, 0.8)
    assert CHINESE[start:end] == "胃窦：见一大小约０.５cm息肉"


@pytest.mark.parametrize(
    "proposition",
    [
        "",
        "...",
        "the was of",
        "A 6 mm sessile polyp",
        "ulcer in the rectum",
        "No polyp in the rectum",
        "diverticula in the transverse colon",
    ],
)
def test_not_grounded(proposition):
    assert find_ground(proposition, REPORT, 0.8) is None


def test_words_far_apart_are_no_ground():
    text = "polyp " + "word " * 60 + "rectum"
    assert find_ground("polyp rectum", text, 0.8) is None
    assert find_ground("polyp rectum", text, 0.5) is not None


def test_the_shortest_stretch_is_taken():
    text = "polyp near one large red polyp"
    start, end = find_ground("red polyp", text, 1.0)
    assert text[start:end] == "red polyp"


def test_share_of_words():
    assert find_ground("sessile polyp rectum shiny", REPORT, 0.75) is not None
    assert find_ground("sessile polyp rectum shiny", REPORT, 0.8) is None


def test_a_repeated_word_must_stand_twice():
    assert find_ground("polyp polyp", "one polyp", 0.8) is None


def test_empty_report():
    assert find_ground("polyp", "", 0.8) is None
