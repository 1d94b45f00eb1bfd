"""Where a finding lies: its own place, a distance, one shared in the sentence, its heading's."""

from endoalign.reports.clauses import Piece
from endoalign.reports.draft import Draft
from endoalign.reports.groups import Group
from endoalign.reports.sentence import Sentence
from endoalign.reports.sites import Place, are_near, nearest_place

_FEW = 2
"""Regions of a place that says more than the word of a finding does."""


def own_place(sentence: Sentence, piece: Piece) -> Place | None:
    """The place named in the piece itself, or given there by its distance from the anal verge."""
    places = [p for p in sentence.places if piece.start <= p.start and p.end <= piece.end]
    if sentence.distances and not any(p.regions for p in places):
        places += _distances(sentence, piece)
    group = piece.group
    if group.kind == "normal":
        return _normal_place(sentence, places, group)
    implied = implied_regions(group)
    if implied:
        # "A hernia of the stomach", "esophagitis up to the cardia": the word knows better.
        fitting = [p for p in places if not set(implied).isdisjoint(p.regions)]
        close = [p for p in places if len(p.regions) <= _FEW and are_near(implied, p.regions)]
        places = fitting or close
    return nearest_place(places, group.start, group.end)


def implied_regions(group: Group) -> tuple[str, ...]:
    """The regions where the words alone put a finding: haemorrhoids lie in the rectum."""
    for head in group.heads:
        if isinstance(head.value, tuple) and head.value[1]:
            return tuple(head.value[1])
    return ()


def share_places(sentence: Sentence, drafts: list[Draft]) -> None:
    """Give findings without a place that of their sentence.

    In this order: the one named before them; for abnormalities the one of the next finding of their
    kind ("a 3 mm and a 5 mm polyp in the rectum"); that of the heading; what the view implies.
    """
    for position, draft in enumerate(drafts):
        if draft.place is None and not draft.regions:
            draft.place = _shared(sentence, draft, drafts[position + 1 :])
            draft.regions = draft.place.regions if draft.place is not None else ()


def _shared(sentence: Sentence, draft: Draft, following: list[Draft]) -> Place | None:
    before = [p for p in sentence.places if p.end <= draft.start and p.regions]
    # A diagnosis lists independent items.
    if before and sentence.section != "diagnosis":
        return before[-1]
    after = [d.place for d in following if d.place is not None and d.kind == draft.kind]
    if after and draft.kind != "normal":
        return after[0]
    elsewhere = sentence.grammar.elsewhere.search(sentence.text, sentence.start, draft.end)
    if sentence.topic is not None and elsewhere is None:
        return sentence.topic
    return sentence.implied


def _distances(sentence: Sentence, piece: Piece) -> list[Place]:
    """Distances of the piece, unless the heading names a site that fits them."""
    topic = sentence.topic.regions if sentence.topic else ()
    return [
        p
        for p in sentence.distances
        if piece.start <= p.start and p.end <= piece.end and not are_near(topic, p.regions)
    ]


def _normal_place(sentence: Sentence, places: list[Place], group: Group) -> Place | None:
    """The place called normal: what stands before the word, an extent ("to the cecum") left out."""
    extent = sentence.grammar.extent
    places = [p for p in places if not extent.search(sentence.text, sentence.start, p.start)]
    before = [p for p in places if p.end <= group.start]
    return nearest_place(before or places, group.start, group.end)
