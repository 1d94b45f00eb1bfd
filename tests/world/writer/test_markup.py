import pytest

from endoalign.world.writer.markup import Passage, capitalise, join, stated, to_report
from endoalign.world.writer.statements import plain_finding

NORMAL = plain_finding("normal", "rectum")
OTHER = plain_finding("other", None)


def test_offsets_are_those_of_the_bare_text():
    passage = Passage(f"There was {stated('one')} and {stated('另一')}.", (NORMAL, OTHER))
    report = to_report(passage)
    assert report.text == "There was one and 另一."
    assert [report.text[f.start : f.end] for f in report.findings] == ["one", "另一"]
    assert [f.kind for f in report.findings] == ["normal", "other"]


def test_text_without_statements_and_no_text():
    assert to_report(Passage("Plan: none.")).findings == ()
    assert to_report(Passage("")).text == ""


def test_join_drops_what_is_empty_and_keeps_the_order():
    parts = [Passage(""), Passage(stated("a"), (NORMAL,)), Passage(""), Passage("b")]
    assert join(" ", parts) == Passage(f"{stated('a')} b", (NORMAL,))
    assert join(" ", []) == Passage("")


def test_capitals_reach_into_a_statement_but_not_past_a_number():
    assert capitalise(stated("a polyp")) == stated("A polyp")
    assert capitalise("6 mm polyp") == "6 mm polyp"
    assert capitalise("") == ""


@pytest.mark.parametrize(
    "passage", [Passage("⟦a⟧"), Passage("a", (NORMAL,)), Passage("⟦a", (NORMAL,))]
)
def test_brackets_and_findings_must_match(passage):
    with pytest.raises(ValueError, match=r"statements for"):
        to_report(passage)
