"""From sentences to findings: what each states anew, and what it adds to those before it."""

from itertools import takewhile

from endoalign.reports.attributes import descriptors_of, paris_of, size_of
from endoalign.reports.carrying import carry_place
from endoalign.reports.clauses import Piece
from endoalign.reports.draft import Draft
from endoalign.reports.findings import points_back, sentence_drafts
from endoalign.reports.groups import Group
from endoalign.reports.heads import describing_spans
from endoalign.reports.references import is_known, is_same, meant
from endoalign.reports.sentence import Sentence
from endoalign.reports.terms import Mention

_AT_ONCE = 14
"""Characters from its start within which a sentence without a subject must describe."""
_FAR = 2
"""Sentences over which a lesion is pointed back to."""


def assemble(sentences: list[Sentence]) -> list[Draft]:
    """Return the findings of the sentences that may state some, follow-ons merged."""
    drafts: list[Draft] = []
    lesions: list[tuple[int, Draft]] = []
    for index, sentence in enumerate(sentences):
        recent = _recent(lesions, index, sentence)
        if recent and _follows_on(sentence):
            for lesion in meant(recent, sentence):
                _extend(lesion, sentence)
        elif sentence.states:
            previous = sentences[index - 1] if index else None
            new = _new_findings(sentence, previous, recent, drafts)
            lesions += [(index, d) for d in new if d.is_present_lesion]
            drafts += new
    return drafts


def _recent(lesions: list[tuple[int, Draft]], index: int, sentence: Sentence) -> list[Draft]:
    """The lesions that sentence ``index`` may point back to, in order."""
    near = takewhile(lambda entry: index - entry[0] <= _FAR, reversed(lesions))
    return [lesion for _, lesion in near if _same_stretch(lesion.sentence, sentence)][::-1]


def _new_findings(
    sentence: Sentence, previous: Sentence | None, recent: list[Draft], drafts: list[Draft]
) -> list[Draft]:
    """Findings first stated in this sentence; what it says of earlier ones goes to those."""
    new: list[Draft] = []
    for draft in sentence_drafts(sentence):
        lesions = [*recent, *(d for d in new if d.is_present_lesion)]
        if lesions and is_same(draft, lesions[-1]):
            for lesion in meant(lesions, sentence):
                _merge(lesion, draft)
        elif not is_known(draft, [*drafts, *new]):
            carry_place(draft, previous, (new or drafts)[-1:])
            has_subject = draft.place is not None or "subject" in sentence.by_category
            if draft.kind != "normal" or has_subject:
                new.append(draft)
    return new


def _same_stretch(earlier: Sentence, sentence: Sentence) -> bool:
    return earlier.paragraph == sentence.paragraph and earlier.topic is sentence.topic


def _follows_on(sentence: Sentence) -> bool:
    """Whether a sentence without a head of its own describes the lesion before it.

    Nouns that may describe a lesion ("erosion") are no heads here.
    """
    categories = sentence.by_category
    if "lesion" in categories or "normal" in categories or not sentence.describes:
        return False
    describing = describing_spans(sentence)
    if any((m.start, m.end) not in describing for m in categories.get("other", ())):
        return False
    if points_back(sentence):
        return True
    if sentence.places or "subject" in categories or "other" in categories:
        return False
    first = sentence.start + _AT_ONCE
    starts = [m.start for c in ("paris", "descriptor", "size") for m in categories.get(c, ())]
    starts += [m.start for m in sentence.measures if m.kind == "size"]
    starts += [code[0] for code in sentence.codes]
    return any(start < first for start in starts)


def _extend(draft: Draft, sentence: Sentence) -> None:
    """Add what a follow-on sentence says of the lesion ``draft``."""
    head = Mention(sentence.start, sentence.start, "lesion", "lesion")
    piece = Piece(Group([head], "lesion", None), sentence.start, sentence.end)
    draft.add(size_of(sentence, piece), paris_of(sentence, piece), descriptors_of(sentence, piece))
    places = [p for p in sentence.places if p.regions]
    if not draft.regions and places:
        draft.place, draft.regions = places[0], places[0].regions


def _merge(earlier: Draft, draft: Draft) -> None:
    """Add what a definite lesion says of the one it points back to."""
    earlier.add(draft.size, draft.paris, draft.descriptors)
    if not earlier.regions and draft.regions:
        earlier.place, earlier.regions = draft.place, draft.regions
