"""The walk through a report: section, paragraph, topic and kind of every sentence."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from endoalign.reports.grammar import Grammar
from endoalign.reports.outside import is_outside
from endoalign.reports.records import Span
from endoalign.reports.sections import Heading, goes_on, next_section
from endoalign.reports.sites import Place, find_places
from endoalign.reports.telling import STATING, Categories, is_on_its_way, told_end

_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_LEFT = frozenset(("name", "reason", "aside", "apart", "excluded", "diagnosis"))
"""Sections that a sentence may show to have ended."""


@dataclass(slots=True)
class _State:
    """Where the walk stands."""

    section: str = "body"
    paragraph: int = 0
    topic: Place | None = None
    inline: bool = False
    after_heading: bool = False
    outside: bool = False


class Located(NamedTuple):
    """Where the sentence ``order`` of a report stands, counted from 0.

    ``section`` is one of `sections`, ``outside`` (an examination without the endoscope) or ``past``
    (the sentence speaks of the past or of plans); ``topic`` is the site that its heading names.
    What the sentence says of this examination ends at ``end``: a plan or the past may follow.
    """

    order: int
    section: str
    paragraph: int
    topic: Place | None
    end: int

    @property
    def may_state(self) -> bool:
        """Whether findings, or what repeats them, may stand here."""
        return self.section in ("body", "diagnosis", "outside")


def locate(
    text: str,
    spans: Sequence[Span],
    categories: Sequence[Categories],
    headings: Sequence[Heading],
    grammar: Grammar,
) -> list[Located]:
    """Say where every sentence of lower-case ``text`` stands, in order; headings are left out.

    Where no section that may state findings does so, whatever is told of a place counts, be it
    under a heading that should hold none.
    """
    located = list(_walk(text, spans, categories, headings, grammar, False))
    if any(at.may_state and not STATING.isdisjoint(categories[at.order]) for at in located):
        return located
    return list(_walk(text, spans, categories, headings, grammar, True))


def _walk(
    text: str,
    spans: Sequence[Span],
    categories: Sequence[Categories],
    headings: Sequence[Heading],
    grammar: Grammar,
    anywhere: bool,
) -> Iterator[Located]:
    state, opened, last_end = _State(), {h.start: h for h in headings}, 0
    for index, (span, own) in enumerate(zip(spans, categories, strict=True)):
        _cross_gap(state, text, last_end, span.start)
        last_end = span.end
        heading = opened.get(span.start)
        if heading is not None and span.end <= heading.end:
            _open(state, text, heading, own, grammar)
            continue
        topic = state.topic
        if state.inline:
            state.topic = None
        end = told_end(text, span, own, grammar)
        section = state.section
        if end is not None or "history" not in own:
            section = _section(state, text, span, own, grammar, anywhere)
        section = "past" if end is None else section
        yield Located(index, section, state.paragraph, topic, end or span.end)
        # A line that goes on to other places has left the site of its heading.
        if state.topic is None:
            continue
        if "site" in own or grammar.elsewhere.search(text, span.start, span.end):
            state.topic = None


def _cross_gap(state: _State, text: str, start: int, end: int) -> None:
    """Move over the blanks before a sentence: new lines and new paragraphs."""
    if text.find("\n", start, end) >= 0:
        if not state.after_heading:
            state.topic = None
        if _BLANK_LINE.search(text, start, end):
            state.paragraph += 1
            if state.section in ("aside", "apart") and not state.after_heading:
                state.section = "body"
    state.after_heading = False


def _open(state: _State, text: str, heading: Heading, own: Categories, grammar: Grammar) -> None:
    state.section = next_section(state.section, heading)
    places = find_places(text, own.get("site", ()), grammar)
    state.topic = places[0] if places else None
    state.inline = heading.start > 0 and text[heading.start - 1] != "\n"
    state.outside = False
    state.after_heading = True


def _section(
    state: _State, text: str, span: Span, own: Categories, grammar: Grammar, anywhere: bool
) -> str:
    """Move the state over a sentence of this examination and name the section it stands in."""
    if state.section == "body" and not state.outside and "outside" not in own:
        return "body"
    if state.section in _LEFT:
        section = "apart" if anywhere and state.section in ("reason", "excluded") else state.section
        goes = goes_on(
            section,
            text[span.start : span.end],
            grammar,
            is_course="course" in own or is_on_its_way(text, span, own, grammar),
            states=not STATING.isdisjoint(own),
            placed="site" in own,
        )
        state.section = "body" if goes == "body" else state.section
    state.outside = is_outside(state.outside, own)
    return "outside" if state.section == "body" and state.outside else state.section
