import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from endoalign.reports.terms import Role, TermScanner, expand, trie_pattern

WORDS = st.lists(st.text("abc ", min_size=1, max_size=5).map(str.strip).filter(bool), min_size=1)


def naive_longest(phrases, text):
    """Leftmost-longest matches by trying every phrase at every position."""
    found, at = [], 0
    while at < len(text):
        here = [p for p in phrases if text.startswith(p, at)]
        if here:
            longest = max(here, key=len)
            found.append((at, at + len(longest)))
            at += len(longest)
        else:
            at += 1
    return found


@given(WORDS, st.text("abc ", max_size=30))
def test_the_trie_finds_what_the_naive_search_finds(words, text):
    phrases = sorted({" ".join(word.split()) for word in words})
    # The trie lets two blanks stand for one; compare where no such run occurs.
    text = " ".join(text.split())
    found = [m.span() for m in re.finditer(trie_pattern(phrases), text)]
    assert found == naive_longest(phrases, text)


@pytest.mark.parametrize(
    ("term", "phrases"),
    [
        ("polyp(s|)", ["polyp", "polyps"]),
        ("(a |)(b|c)", ["a b", "a c", "b", "c"]),
        ("well-defined", ["well defined"]),
        ("((sub|)pedunculated|stalked)", ["pedunculated", "stalked", "subpedunculated"]),
        (r"\(\-\)", ["(-)"]),
        ("Polyp", ["polyp"]),
    ],
)
def test_alternatives_are_written_out(term, phrases):
    assert expand(term) == phrases


def test_blanks_in_a_term_match_hyphens_and_wrapped_lines():
    scanner = TermScanner({"well defined": (Role("x", 1),)}, whole_words=True)
    for text in ("well defined", "well-defined", "well\ndefined", "well- defined"):
        assert [(m.start, m.end) for m in scanner.scan(text)] == [(0, len(text))]
    assert scanner.scan("well\n\ndefined") == []


def test_whole_words_only_where_asked():
    table = {"polyp": (Role("lesion", 1), Role("other", 2))}
    assert TermScanner(table, whole_words=True).scan("polypectomy") == []
    assert len(TermScanner(table, whole_words=False).scan("polypectomy")) == 2


def test_an_empty_table_finds_nothing():
    assert TermScanner({}, whole_words=True).scan("a polyp") == []
