import pytest

from endoalign.reports.grammar import ENGLISH
from endoalign.reports.lexicon import load_lexicon
from endoalign.reports.outline import by_category
from endoalign.reports.outside import is_outside
from endoalign.reports.records import Span
from endoalign.reports.roles import roles_of, term_roles
from endoalign.reports.telling import is_on_its_way, says_something, told_end
from endoalign.reports.terms import TermScanner

SCANNER = TermScanner(
    roles_of(term_roles(load_lexicon("en")), whole_document=False), whole_words=True
)


def met(text):
    return by_category(SCANNER.scan(text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a polyp in the cecum.", "a polyp in the cecum."),
        ("a mass in the cecum, referred for surgery.", "a mass in the cecum"),
        ("a polyp was seen and the patient will return.", "a polyp was seen "),
        ("polyps in the cecum were removed years ago.", None),
        ("history of polyps in the cecum.", None),
        ("missed polyps, bleeding and perforation were discussed.", None),
    ],
)
def test_what_comes_before_a_plan_or_the_past_is_told(text, told):
    end = told_end(text, Span(0, len(text)), met(text), ENGLISH)
    assert (None if end is None else text[:end]) == told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the colonoscope was slowly advanced to the cecum.", True),
        ("we passed the colonoscope.", True),
        ("the colonoscope was broken.", False),
        ("the catheter was advanced.", False),
    ],
)
def test_the_endoscope_on_its_way(text, expected):
    assert is_on_its_way(text, Span(0, len(text)), met(text), ENGLISH) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a polyp.", True),
        ("the rectum was normal.", True),
        ("the weather was normal.", False),
        ("the scope was passed.", False),
    ],
)
def test_what_states_something(text, expected):
    assert says_something(met(text)) == expected


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        (False, "digital rectal exam was normal.", True),
        (True, "there were hemorrhoids.", True),
        (True, "the colonoscope was passed.", False),
        (True, "the sigmoid was normal.", False),
        (True, "a mass was felt on the left side of the rectum.", True),
        (False, "the sigmoid was normal.", False),
        (False, "digital rectal exam was normal and the colonoscope was passed.", False),
    ],
)
def test_the_examination_by_finger(before, text, after):
    assert is_outside(before, met(text)) == after
