"""Which words of a sentence state something: the heads of its findings."""

import re

from endoalign.reports.groups import concept
from endoalign.reports.negation import denial_of
from endoalign.reports.roles import MORE
from endoalign.reports.sentence import Sentence
from endoalign.reports.terms import Mention

_DONE_BY_LESION = frozenset(("stricture", "friability"))
"""Abnormalities that, named beside a lesion, are its own ("an obstructing, friable mass")."""
_DONE_BY_HAND = "bleeding"
"""An abnormality that, in a sentence on an intervention, is what the intervention did."""
_PREPOSITION = 5
"""Characters of a preposition and its blank before a cue: "with no …"."""
_NOUN_PHRASE = re.compile(r"[ -]?(?:[a-z0-9.-]+ ){0,4}")
"""What may stand between "previous" and its noun."""


def find_heads(sentence: Sentence) -> list[Mention]:
    """Return the heads in order.

    Words that may also describe a lesion ("ulceration") are no heads where one is present.
    """
    lesions = _of_now(sentence, _named_lesions(sentence.by_category.get("lesion", [])))
    normals = _asserted(sentence, sentence.by_category.get("normal", []))
    if "operation" in sentence.by_category:
        normals = []
    others = _of_now(sentence, sentence.by_category.get("other", []))
    if not (lesions or others):
        return normals
    if others:
        present = [m.start for m in (*lesions, *others) if _asserted(sentence, [m])]
        first = min(present, default=sentence.end)
        others = [m for m in others if not _is_denied_aside(sentence, m, first)]
        others = _without_effects(sentence, others, bool(_asserted(sentence, lesions)))
    return sorted([*lesions, *normals, *others])


def describing_spans(sentence: Sentence) -> set[tuple[int, int]]:
    """The spans of words that may describe a lesion."""
    return {(m.start, m.end) for m in sentence.by_category.get("descriptor", ())}


def _named_lesions(lesions: list[Mention]) -> list[Mention]:
    """Lesions of a sentence; a pronoun ("another one") counts only after a noun."""
    first = next((k for k, m in enumerate(lesions) if m.value != MORE), len(lesions))
    return lesions[first:]


def _of_now(sentence: Sentence, mentions: list[Mention]) -> list[Mention]:
    """Leave out what an adjective puts into the past: "the previous polyp"."""
    earlier = sentence.by_category.get("earlier")
    if not earlier:
        return mentions
    past = set()
    for cue in earlier:
        noun = next((m for m in mentions if m.start >= cue.end), None)
        if noun and _NOUN_PHRASE.fullmatch(sentence.text, cue.end, noun.start):
            past.add(noun)
    return [m for m in mentions if m not in past]


def _asserted(sentence: Sentence, mentions: list[Mention]) -> list[Mention]:
    denials = sentence.denials
    return [m for m in mentions if not denials or denial_of(denials, m.start, m.end) is None]


def _is_denied_aside(sentence: Sentence, mention: Mention, first: int) -> bool:
    """Whether a denial says nothing of the bowel: "non-bleeding", "removed without bleeding".

    Behind an abnormality, the ``first`` of which starts there, it only qualifies that:
    "diverticula without inflammation".
    """
    denial = denial_of(sentence.denials, mention.start, mention.end)
    if denial is None:
        return False
    if denial.of_word:
        return True
    before = max(sentence.start, denial.start - _PREPOSITION)
    qualifies = sentence.grammar.manner.search(sentence.text, before, denial.end)
    return qualifies is not None and (concept(mention) == _DONE_BY_HAND or first < denial.start)


def _without_effects(
    sentence: Sentence, others: list[Mention], beside_lesion: bool
) -> list[Mention]:
    """Leave out what a lesion named beside it, or the endoscopist, did."""
    if beside_lesion:
        describing = describing_spans(sentence)
        others = [
            m
            for m in others
            if (m.start, m.end) not in describing and concept(m) not in _DONE_BY_LESION
        ]
    if "intervention" in sentence.by_category:
        others = [m for m in others if concept(m) != _DONE_BY_HAND]
    return others
