import pandas as pd
import pytest

from endoalign.corpus.validation import CorpusError
from endoalign.recovery.texts import lesion_texts

REPORT = "There was a 5 mm polyp in the rectum and a flat polyp. A red polyp was seen."
ONE, TWO = REPORT.index("a 5 mm"), REPORT.index("a flat")
FIRST = REPORT[: REPORT.index(". ") + 1]
LAST = REPORT[REPORT.index("A red") :]


def finding(start, words, sentence, region, site=None, case_id="c1"):
    return {
        "case_id": case_id,
        "sentence": sentence,
        "start": start,
        "end": start + len(words),
        "region": region,
        "site": site,
    }


LESIONS = pd.DataFrame(
    [
        finding(ONE, "a 5 mm polyp", FIRST, "rectum", "rectum"),
        finding(TWO, "a flat polyp", FIRST, "sigmoid_colon", "Sigmoid colon"),
        finding(REPORT.index("A red"), "A red polyp", LAST, None),
    ],
    index=[7, 3, 9],
)
CASES = pd.DataFrame([{"case_id": "c1", "report_text": REPORT, "language": "en"}])


def test_sentence_is_the_whole_sentence():
    assert lesion_texts(LESIONS, CASES, "sentence").tolist() == [FIRST, FIRST, LAST]


def test_statement_parts_a_shared_sentence_and_names_the_region():
    texts = lesion_texts(LESIONS, CASES, "statement")
    assert texts.tolist() == ["Rectum: a 5 mm polyp", "Sigmoid colon: a flat polyp", LAST]
    assert texts.index.tolist() == [7, 3, 9]


def test_another_language_keeps_its_own_words_and_repeats_none():
    chinese = CASES.assign(report_text="直肠见息肉。", language="zh")
    row = finding(2, "见息肉", "直肠见息肉。", "rectum", "直肠")
    lesions = pd.DataFrame([row, row | {"sentence": "见息肉。", "start": 2, "end": 6}])
    assert lesion_texts(lesions, chinese, "statement").tolist() == [
        "直肠见息肉。",
        "直肠: 见息肉。",
    ]


def test_no_lesions_no_texts():
    assert lesion_texts(LESIONS.head(0), CASES, "statement").empty


def test_what_is_unknown_is_named():
    with pytest.raises(CorpusError, match="'phrase'; known: sentence, statement"):
        lesion_texts(LESIONS, CASES, "phrase")
    with pytest.raises(CorpusError, match="'c2', which cases does not hold"):
        lesion_texts(LESIONS.assign(case_id="c2"), CASES, "statement")
