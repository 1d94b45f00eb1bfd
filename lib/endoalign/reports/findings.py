"""Assembling the findings of a sentence from its heads, pieces and attributes."""

from itertools import zip_longest

from endoalign.reports.attributes import descriptors_of, paris_of, size_of
from endoalign.reports.clauses import Piece, cut_pieces
from endoalign.reports.counts import count_of
from endoalign.reports.draft import Draft
from endoalign.reports.groups import UNSPECIFIED, Group, concept, group_heads
from endoalign.reports.heads import find_heads
from endoalign.reports.placing import implied_regions, own_place, share_places
from endoalign.reports.sentence import Sentence

_DETERMINER = 40
"""Characters before a noun in which its determiner is looked for."""


def sentence_drafts(sentence: Sentence) -> list[Draft]:
    """Return the findings a sentence states, in order; definite ones point back and say so."""
    heads = find_heads(sentence)
    if not heads:
        return []
    groups = group_heads(sentence.text, heads, sentence.denials, sentence.places, sentence.grammar)
    pieces = cut_pieces(sentence.text, sentence.start, sentence.end, groups, sentence.grammar)
    drafts = [_draft(sentence, piece) for piece in pieces]
    share_places(sentence, drafts)
    for draft in drafts:
        # To deny any abnormality of a place is to call it normal.
        if draft.concept == UNSPECIFIED and draft.denial is not None and draft.place is not None:
            draft.kind, draft.concept, draft.denial = "normal", "normal", None
    pairs = zip_longest(drafts, drafts[1:])
    return [d for d, after in pairs if _counts(sentence, d) and not _announces(sentence, d, after)]


def points_back(sentence: Sentence) -> bool:
    """Whether a sentence starts with a word that points back ("it", "both", "the surface")."""
    return sentence.grammar.points_back.match(sentence.text, sentence.start) is not None


def _draft(sentence: Sentence, piece: Piece) -> Draft:
    group = piece.group
    place = own_place(sentence, piece)
    draft = Draft(
        sentence=sentence,
        start=group.start,
        end=group.end,
        kind=group.kind,
        concept=_concept(group),
        denial=group.denial,
        definite=group.kind != "normal" and _is_definite(sentence, group),
        place=place,
        regions=place.regions if place and place.regions else implied_regions(group),
    )
    if draft.is_present_lesion:
        head = next(h for h in group.heads if h.category == "lesion")
        numerals = sentence.by_category.get("count", ())
        draft.count = count_of(sentence.text, piece.start, head, piece.end, numerals)
        draft.size = size_of(sentence, piece)
        draft.paris = paris_of(sentence, piece)
        draft.descriptors = descriptors_of(sentence, piece)
    draft.widen()
    return draft


def _concept(group: Group) -> str:
    if group.kind != "other":
        return group.kind
    named = [concept(h) for h in group.heads if concept(h) != UNSPECIFIED]
    return named[0] if named else UNSPECIFIED


def _is_definite(sentence: Sentence, group: Group) -> bool:
    left = max(sentence.start, group.start - _DETERMINER)
    return sentence.grammar.definite.search(sentence.text, left, group.start) is not None


def _announces(sentence: Sentence, draft: Draft, following: Draft | None) -> bool:
    """Whether a draft only sums up what follows a colon: "two polyps: a 3 mm … and a 5 mm …"."""
    if following is None or draft.kind != "lesion" or following.kind != "lesion":
        return False
    bare = draft.size is None and draft.paris is None and not draft.descriptors
    return bare and ":" in sentence.text[draft.end : following.start]


def _counts(sentence: Sentence, draft: Draft) -> bool:
    """Whether a draft states something of the bowel.

    A "normal" needs a place or another subject; an unspecified abnormality counts only as denied; a
    denial of something about a lesion ("no manipulation of the lesion") says nothing of it;
    bleeding that is neither placed nor seen is the complaint.
    """
    if draft.kind == "normal":
        has_subject = draft.place is not None or "subject" in sentence.by_category
        return has_subject or points_back(sentence)
    if draft.concept == UNSPECIFIED and draft.denial is None:
        return False
    if draft.concept == "bleeding" and draft.present:
        seen = sentence.grammar.seen.search(sentence.text, sentence.start, sentence.end)
        return not draft.definite and (draft.place is not None or seen is not None)
    return draft.denial is None or not draft.definite
