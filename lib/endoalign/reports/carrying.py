"""Places carried over from the sentence before, where a statement clearly goes on there."""

from endoalign.reports.draft import Draft
from endoalign.reports.findings import points_back
from endoalign.reports.sentence import Sentence
from endoalign.reports.sites import Place

_LOCAL = frozenset(("erosion", "ulceration", "ulcer", "bleeding", "varices", "erythema", "edema"))
"""Abnormalities that, denied without a place, are denied of the one just told of."""
_FARTHEST = frozenset(("terminal_ileum", "ileocecal", "duodenum"))
"""Where an examination turns round."""


def carry_place(draft: Draft, previous: Sentence | None, last: list[Draft]) -> None:
    """Give a finding without a site that of the sentence before, where that clearly goes on."""
    if draft.regions or previous is None or previous.paragraph != draft.sentence.paragraph:
        return
    draft.place = draft.place or _carried_place(draft, previous, last)
    if draft.place is not None:
        draft.regions = draft.place.regions


def _carried_place(draft: Draft, previous: Sentence, last: list[Draft]) -> Place | None:
    """The place of the sentence before, or of the ``last`` finding (none or one)."""
    sentence, grammar = draft.sentence, draft.sentence.grammar
    places = [p for p in previous.places if p.regions]
    if places and grammar.here.match(sentence.text, sentence.start):
        return places[-1]
    if not draft.present and places and points_back(sentence):
        return places[-1]
    if draft.kind == "normal":
        return None
    if not previous.states and len(places) == 1:
        goes_on = _is_local_denial(draft, previous) or _was_looked_at(draft, previous, places[0])
        return places[0] if goes_on else None
    return _place_of_last(draft, previous, last)


def _was_looked_at(draft: Draft, previous: Sentence, place: Place) -> bool:
    """Whether the sentence before says that a place was examined, or the endoscope taken there.

    Where the endoscope turns round, what it then meets may lie anywhere on the way back.
    """
    grammar, text = previous.grammar, previous.text
    if grammar.looked_at.search(text, place.end, previous.end):
        return True
    moved = grammar.moved.search(text, previous.start, previous.end)
    return draft.present and moved is not None and not _FARTHEST.issuperset(place.regions)


def _place_of_last(draft: Draft, previous: Sentence, last: list[Draft]) -> Place | None:
    """The place of the finding stated last, where this one is told of the same spot."""
    if not last:
        return None
    if _is_local_denial(draft, previous) and last[0].sentence is previous:
        return last[0].place
    if not (draft.present and last[0].present):
        return None
    sentence = draft.sentence
    carries = sentence.grammar.carries.search(sentence.text, sentence.start, sentence.end)
    return last[0].place if carries else None


def _is_local_denial(draft: Draft, previous: Sentence) -> bool:
    """Whether a draft denies what a look at one place can deny, in the line that named it."""
    is_local = draft.denial is not None and draft.concept in _LOCAL
    return is_local and "\n" not in draft.sentence.text[previous.end : draft.sentence.start]
