import pytest
from hypothesis import given
from hypothesis import strategies as st

from endoalign.reports.lexicon import load_lexicon
from endoalign.reports.roles import term_roles, words_of
from endoalign.reports.spelling import Spelling, within_one_edit


def distance(a, b):
    """Optimal string alignment distance by the full table (Damerau 1964)."""
    table = [[i + j if i * j == 0 else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i][j] = min(
                table[i - 1][j] + 1,
                table[i][j - 1] + 1,
                table[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
            )
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_one_edit_equals_the_full_table(a, b):
    assert within_one_edit(a, b) == (distance(a, b) <= 1)


SPELLING = Spelling(
    ["polyp", "sigmoid", "pedunculated", "smooth", "inflamed", "stricture"], known=["structure"]
)


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("sigmiod", "sigmoid"),
        ("pedunculted", "pedunculated"),
        ("smoooth", "smooth"),
        ("plyp", "polyp"),
        ("pedunculatex", ""),  # a wrong last letter may be another form of another word
        ("sigmoids", ""),  # so may one letter more
        ("amooth", ""),  # the first letter must agree
        ("smmoothh", ""),  # two edits
        ("structure", ""),  # a word of its own
        ("smelth", ""),
    ],
)
def test_corrects_slips_only(written, right):
    assert SPELLING.correct(written) == right


def test_errors_are_found_in_place():
    text = "a sigmiod polyp, sigmiod again"
    assert SPELLING.errors(text) == [(2, 9, "sigmoid"), (17, 24, "sigmoid")]
    assert SPELLING.errors("no errors in sigmoid") == []


def test_confusions_keep_the_length():
    spelling = Spelling([], confusions={"息内": "息肉"})
    assert spelling.replace_confusions("见一枚息内。") == "见一枚息肉。"
    assert spelling.replace_confusions("polyp") == "polyp"


@pytest.mark.parametrize("word", ["patient", "remained", "infected", "rejection", "entirety"])
def test_everyday_words_of_a_report_are_left_alone(word):
    lexicon = load_lexicon("en")
    spelling = Spelling(words_of(term_roles(lexicon)), lexicon.spelling.known)
    assert spelling.correct(word) == ""
