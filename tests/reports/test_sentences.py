import pytest

from endoalign.reports.sentences import slices, split_sentences


def sentences(text, breaks=()):
    return [text[start:end] for start, end in split_sentences(text, breaks)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A polyp of 0.5 cm. It was removed.", ["A polyp of 0.5 cm.", "It was removed."]),
        ("It measured 3 mm. in diameter.", ["It measured 3 mm. in diameter."]),
        ("Follow up with Dr. X as needed.", ["Follow up with Dr. X as needed."]),
        ("Polyp vs. fold, i.e. benign. Normal.", ["Polyp vs. fold, i.e. benign.", "Normal."]),
        ("1. A polyp.\n2. Piles.", ["1. A polyp.", "2. Piles."]),
        ("FINDINGS: 1. A polyp. 2. Piles.", ["FINDINGS: 1. A polyp.", "2. Piles."]),
        (
            "The scope was passed,\nwithout difficulty.",
            ["The scope was passed,\nwithout difficulty."],
        ),
        ("Rectum: normal\nSigmoid: polyp", ["Rectum: normal", "Sigmoid: polyp"]),
        ("- polyp\n- piles", ["- polyp", "- piles"]),
        ("Seen twice.The rest normal.", ["Seen twice.", "The rest normal."]),
        ("Antral erythema; a polyp.", ["Antral erythema;", "a polyp."]),
        (
            "直肠正常。乙状结肠见息肉；余未见异常。",
            ["直肠正常。", "乙状结肠见息肉；", "余未见异常。"],
        ),
        ("大小约0.5cm。边界清", ["大小约0.5cm。", "边界清"]),
        ("", []),
        (" \n\n . ", []),
        ("polyp", ["polyp"]),
    ],
)
def test_splits(text, expected):
    assert sentences(text) == expected


def test_headings_break_sentences():
    text = "Rectum: a polyp"
    assert sentences(text, [7]) == ["Rectum:", "a polyp"]


def test_slices_equal_a_naive_search():
    spans = split_sentences("One two. Three. Four five six.")
    starts = [0, 4, 9, 16, 21, 26]
    naive = [
        (
            sum(s < span.start for s in starts),
            sum(s < span.end for s in starts),
        )
        for span in spans
    ]
    assert slices(starts, spans) == naive
