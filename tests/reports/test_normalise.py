from hypothesis import given
from hypothesis import strategies as st

from endoalign.reports.normalise import lower_same_length, normalise
from endoalign.reports.spelling import Spelling

SPELLING = Spelling(["sigmoid", "pedunculated"])


@given(st.text())
def test_lower_case_keeps_the_length(text):
    assert len(lower_same_length(text)) == len(text)


@given(st.text())
def test_without_errors_positions_stay(text):
    norm = normalise(text)
    assert len(norm.lower) == len(norm.cased) == len(text)
    assert [norm.original(p) for p in range(len(text) + 1)] == list(range(len(text) + 1))


def test_full_width_signs_become_ascii():
    assert normalise("０．５ｃｍ×３ｍｍ，Ｉｓ").lower == "0.5cmx3mm,is"
    assert normalise("٣ mm").lower == "3 mm"
    assert normalise("3–5 mm").lower == "3-5 mm"


@given(st.lists(st.sampled_from(["sigmiod", "pedunculted", "polyp", "a", ","]), max_size=8))
def test_positions_lead_back_after_corrections(words):
    text = " ".join(words)
    norm = normalise(text, SPELLING)
    right = {"sigmiod": "sigmoid", "pedunculted": "pedunculated"}
    assert norm.lower == " ".join(right.get(word, word) for word in words)
    at = there = 0
    for word in words:
        corrected = right.get(word, word)
        assert norm.original(at) == there
        assert norm.original(at + len(corrected)) == there + len(word)
        at += len(corrected) + 1
        there += len(word) + 1
    for position in range(len(norm.lower) + 1):
        assert 0 <= norm.original(position) <= len(text)
