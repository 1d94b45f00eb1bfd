"""Headings: which part of a report a sentence stands in.

Sections: ``body`` states findings; ``diagnosis`` repeats them after the examination; ``reason``
(indication, history), ``excluded`` (plan, codes), ``aside`` (drugs, people, dates) and ``apart``
(specimens, complications, diagnoses before) state none; ``name`` (procedure, operation) holds
either the name of a procedure or its description, told apart by a finite verb. Dictated text often
runs on past what its heading announces, so that no section silences more than it must: a heading of
a site or an unknown one, a blank line after an aside, or a sentence that has the endoscope on its
way leads back to the body.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from endoalign.reports.grammar import Grammar
from endoalign.reports.lexicon import Lexicon
from endoalign.reports.terms import expand


class Heading(NamedTuple):
    """A heading ``text[start:end]`` (colon included) and the kind of section it opens.

    ``kind`` is ``site`` for the name of a place and ``None`` for a title the lexicon does not know.
    """

    start: int
    end: int
    kind: str | None


_TITLE_CHARACTERS = 64
_BEFORE_COLON = re.compile(
    r"(?:^|\n|[.!?;。；]\s|[。；])[ \t]*(?:\d{1,2}[.)、]\s*)?[【\[]?"
    r"([A-Z][A-Z0-9 /&(),'-]{1,60}|[A-Za-z][A-Za-z /&()'-]{2,50}|[\u4e00-\u9fff/ ]{2,12})"
    r"[】\]]?[ ]?$"
)
_LINE = re.compile(r"[ \t]*([A-Z][A-Z0-9 /&()'-]{3,58})[ \t]*$", re.MULTILINE)
_DOTTED = re.compile(r"([A-Z][a-z]+(?: [a-z]+)?)\.(?=\s[A-Z0-9])")
_BRACKETED = re.compile(r"【([\u4e00-\u9fff/ ]{2,12})】")
_WORD = re.compile(r"[a-z0-9]+")
_TITLE_WORDS = 4
"""Words of the longest title that is not in capitals."""
_MEMORY = 10_000


class HeadingFinder:
    """Finds headings and names their section by the words of the lexicon."""

    def __init__(self, lexicon: Lexicon, site_titles: re.Pattern[str]) -> None:
        """Index the heading words of ``lexicon.sections``; titles that are sites count too."""
        self._chinese = lexicon.language == "zh"
        self._kinds = [(s.kind, {p for t in s.terms for p in expand(t)}) for s in lexicon.sections]
        self._site_titles = site_titles
        self._known: dict[str, str | None] = {}

    def kind(self, title: str) -> str | None:
        """Name the section that a heading of this title opens, ``None`` if no word is known."""
        if title not in self._known:
            if len(self._known) >= _MEMORY:
                self._known.clear()
            self._known[title] = self._look_up(title.lower())
        return self._known[title]

    def _look_up(self, title: str) -> str | None:
        words = f" {' '.join(_WORD.findall(title))} "
        for kind, terms in self._kinds:
            if any(f" {term} " in words or (self._chinese and term in title) for term in terms):
                return kind
        return "site" if self._site_titles.fullmatch(title.strip()) else None

    def find(self, text: str) -> list[Heading]:
        """Return the headings of ``text`` (capitals kept) by position."""
        headings = {h.start: h for h in self._candidates(text)}
        return [headings[start] for start in sorted(headings)]

    def _candidates(self, text: str) -> Iterator[Heading]:
        colon = text.find(":")
        while colon >= 0:
            match = _BEFORE_COLON.search(text, max(0, colon - _TITLE_CHARACTERS), colon)
            if match and self._is_title(match[1], text, match.start(1)):
                end = colon + 2 if text.startswith("::", colon) else colon + 1
                yield Heading(match.start(1), end, self.kind(match[1]))
            colon = text.find(":", colon + 1)
        start = 0
        while start >= 0:
            alone, dotted = _LINE.match(text, start), _DOTTED.match(text, start)
            if alone and self.kind(alone[1]) is not None:
                yield Heading(alone.start(1), alone.end(), self.kind(alone[1]))
            # Of "Conclusion." and "Normal conclusion." only the noun makes a title.
            elif dotted and self.kind(dotted[1].split()[-1]) is not None:
                yield Heading(dotted.start(1), dotted.end(), self.kind(dotted[1]))
            start = text.find("\n", start) + 1 or -1
        for match in _BRACKETED.finditer(text) if self._chinese else ():
            if self.kind(match[1]) is not None:
                yield Heading(match.start(), match.end(), self.kind(match[1]))

    def _is_title(self, title: str, text: str, start: int) -> bool:
        if title.isupper() or self.kind(title) == "site":
            return True
        if len(title.split()) > _TITLE_WORDS:
            return False
        starts_line = not text[text.rfind("\n", 0, start) + 1 : start].strip(" \t")
        return self.kind(title) is not None or (starts_line and title[0].isupper())


def next_section(current: str, heading: Heading) -> str:
    """Return the section after ``heading``; one without a kind ends whatever states nothing."""
    if heading.kind == "site":
        return current if current == "diagnosis" else "body"
    if heading.kind is not None:
        return heading.kind
    return "body" if current in ("aside", "apart", "reason") else current


def goes_on(
    section: str, sentence: str, grammar: Grammar, *, is_course: bool, states: bool, placed: bool
) -> str:
    """Turn any other section into ``body`` from the sentence on that tells what was.

    A name ends at the first sentence with a finite verb, or that names no procedure; the others,
    diagnoses too, at one on the course of the examination; an aside also at one that ``states``
    something, what stands apart where that is told of a place.
    """
    if section == "name":
        is_name = grammar.procedure.search(sentence) and not grammar.finite.search(sentence)
        return "name" if is_name else "body"
    if is_course or (section == "aside" and states):
        return "body"
    tells = section == "apart" and states and placed and grammar.tells.search(sentence)
    return "body" if tells else section
