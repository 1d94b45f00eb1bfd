"""The outline of a report: its sentences, what is met in each, and where each stands."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from endoalign.reports.exams import Evidence
from endoalign.reports.grammar import Grammar
from endoalign.reports.layout import Located, locate
from endoalign.reports.normalise import Normalised
from endoalign.reports.records import Span
from endoalign.reports.sections import Heading
from endoalign.reports.sentences import slices, split_sentences
from endoalign.reports.telling import STATING, Categories, is_on_its_way, says_something
from endoalign.reports.terms import Mention

_TOLD_BEFORE_OR_AFTER = frozenset(("reason", "excluded", "past"))
"""Sections that tell nothing of what this examination saw."""
_ANYWHERE = frozenset(("no_exam", "postoperative"))
"""Cues that count wherever they stand; the others only where the examination is told."""
_ABBREVIATION = 3
"""Longest abbreviation of a site, in letters."""


@dataclass(frozen=True)
class Outline:
    """Sentences as ``spans`` of a normalised text, the mentions of each by category.

    ``located`` says where the sentences stand that are no headings, ``told`` are those of them in
    which findings may be stated.
    """

    spans: list[Span]
    categories: list[Categories]
    located: list[Located]
    told: list[Located]

    @property
    def _untold(self) -> set[int]:
        return {at.order for at in self.located if at.section in _TOLD_BEFORE_OR_AFTER}

    def sites(self) -> list[Mention]:
        """The sites named where this examination is told."""
        untold = self._untold
        told_here = (own for index, own in enumerate(self.categories) if index not in untold)
        return [mention for own in told_here for mention in own.get("site", ())]

    def told_cues(self, cues: Iterable[Mention]) -> list[Mention]:
        """The cues that count: those of this examination and those that hold wherever they are."""
        untold, starts = self._untold, [span.start for span in self.spans]
        return [
            cue
            for cue in cues
            if cue.category in _ANYWHERE or bisect_right(starts, cue.start) - 1 not in untold
        ]

    def evidence(self, text: str, grammar: Grammar) -> Evidence:
        """Count what speaks for an examination in the sentences of lower-case ``text``."""
        on_its_way = stating = placed = 0
        for at in self.told:
            own = self.categories[at.order]
            on_its_way += is_on_its_way(text, self.spans[at.order], own, grammar)
            if says_something(own):
                stating += 1
                placed += "site" in own
        return Evidence(on_its_way, stating, placed)


def outline(
    norm: Normalised, mentions: Iterable[Mention], headings: Iterable[Heading], grammar: Grammar
) -> Outline:
    """Lay out a report from the ``mentions`` of the lexicon's terms and the titles in it."""
    meant = [m for m in mentions if m.category != "site" or _is_meant(m, norm.cased)]
    stated = [m.start for m in meant if m.category in STATING]
    titles = [h for h in headings if not _states(h, stated)]
    spans = split_sentences(norm.cased, [cut for h in titles for cut in (h.start, h.end)])
    ranges = slices([m.start for m in meant], spans)
    categories = [by_category(meant[first:last]) for first, last in ranges]
    located = locate(norm.lower, spans, categories, titles, grammar)
    return Outline(spans, categories, located, [at for at in located if at.may_state])


def by_category(mentions: Sequence[Mention]) -> Categories:
    """Sort mentions into lists by category, keeping their order."""
    categories: Categories = {}
    for mention in mentions:
        if mention.category in categories:
            categories[mention.category].append(mention)
        else:
            categories[mention.category] = [mention]
    return categories


def _states(heading: Heading, stated: Sequence[int]) -> bool:
    """Whether a title that no section is known by states something ("Polyps: none")."""
    if heading.kind is not None:
        return False
    return bisect_left(stated, heading.start) < bisect_left(stated, heading.end)


def _is_meant(mention: Mention, cased: str) -> bool:
    """Whether a site is meant: abbreviations ("SC", "TI") count in capitals only."""
    written = cased[mention.start : mention.end]
    return len(written) > _ABBREVIATION or written == written.upper()
