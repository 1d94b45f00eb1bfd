"""What a sentence denies: cues, how far each reaches, and what ends its reach.

A cue before ("no", "without evidence of", 未见) reaches forward to a stop word ("but", "except",
"with"), a semicolon, or a conjunction that starts a positive statement ("and a …"). A cue after
("were not seen") reaches back over the list it closes. A cue on a word ("non-bleeding") reaches
that word only. Pseudo-negations ("no difficulty", "not only") are in the lexicon's `ignored` terms
and never become cues.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from endoalign.reports.grammar import Grammar
from endoalign.reports.terms import Mention

_FARTHEST = 400
"""Characters over which a cue reaches at most."""
_DENYING = frozenset(("deny_before", "deny_after", "deny_word", "deny_itself"))
_NEIGHBOURS = 8
"""Cues on either side that are looked at; it keeps absurdly long sentences cheap."""


class Denial(NamedTuple):
    """A cue ``text[start:end]`` that denies what lies in ``text[reach_start:reach_end]``."""

    start: int
    end: int
    reach_start: int
    reach_end: int
    of_word: bool = False


_NEXT_WORD = re.compile(r"[ -]?[^\s,.;，。；]+")


def find_denials(
    text: str, start: int, end: int, by_category: dict[str, list[Mention]], grammar: Grammar
) -> list[Denial]:
    """Return the denials of the sentence ``text[start:end]``, by position of their cue."""
    if _DENYING.isdisjoint(by_category):
        return []
    before = by_category.get("deny_before", ())
    after = by_category.get("deny_after", ())
    on_word = by_category.get("deny_word", ())
    itself = by_category.get("deny_itself", ())
    stops = by_category.get("stop", ())
    denials = [Denial(m.start, m.end, m.end, _reach(text, m, end, stops, grammar)) for m in before]
    denials += [
        Denial(m.start, m.end, _reach_back(text, start, m, grammar), m.start) for m in after
    ]
    denials += [Denial(m.start, m.end, m.start, m.end) for m in itself]
    for cue in on_word:
        word = _NEXT_WORD.match(text, cue.end, end)
        denials.append(Denial(cue.start, cue.end, cue.end, word.end() if word else cue.end, True))
    return sorted(denials)


def _reach(text: str, cue: Mention, end: int, stops: Sequence[Mention], grammar: Grammar) -> int:
    end = min(end, cue.end + _FARTHEST)
    stop = grammar.denial_end.search(text, cue.end, end)
    limit = stop.start() if stop else end
    return min((m.start for m in stops if cue.end <= m.start < limit), default=limit)


def _reach_back(text: str, start: int, cue: Mention, grammar: Grammar) -> int:
    last = start
    for match in grammar.back_stop.finditer(text, start, cue.start):
        last = match.end()
    return last


def denial_of(denials: Sequence[Denial], start: int, end: int) -> Denial | None:
    """Return the nearest denial that covers ``start:end``, ``None`` if nothing denies it."""
    if len(denials) > 2 * _NEIGHBOURS:
        at = bisect_left(denials, (start,))
        denials = denials[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS]
    covering = [d for d in denials if d.reach_start <= start and end <= d.reach_end]
    return min(covering, key=lambda d: abs(d.start - start)) if covering else None
