"""Sites: named places, lists and stretches of them, and distances from the anal verge.

A place is a run of site terms joined by nothing but commas, conjunctions and prepositions ("the
sigmoid, descending and transverse colon", "distal transverse colon near the splenic flexure"); it
names the regions of all its parts. The whole bowel names none. Where a lesion has only a distance,
the region follows from the lexicon's table of distances.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from endoalign.reports.grammar import Grammar
from endoalign.reports.sizes import Measure
from endoalign.reports.terms import Mention
from endoalign.vocabulary import REGIONS


class Place(NamedTuple):
    """Where something lies: ``text[start:end]`` and the regions it names, in order."""

    start: int
    end: int
    regions: tuple[str, ...]


def find_places(text: str, mentions: Sequence[Mention], grammar: Grammar) -> list[Place]:
    """Join the site mentions of a sentence into places."""
    places: list[Place] = []
    for mention in mentions:
        regions = mention.value
        assert isinstance(regions, tuple)
        last = places[-1] if places else None
        if (
            last
            and last.regions
            and regions
            and grammar.site_joint.fullmatch(text, last.end, mention.start)
        ):
            merged = tuple(dict.fromkeys(last.regions + regions))
            places[-1] = Place(last.start, mention.end, merged)
        elif last is None or mention.start >= last.end:
            places.append(Place(mention.start, mention.end, regions))
    return places


def distance_places(measures: Iterable[Measure], upto_cm: Mapping[str, float]) -> list[Place]:
    """Turn distances from the anal verge into places by the table ``region -> farthest cm``."""
    places = []
    for measure in measures:
        inside = [region for region, cm in upto_cm.items() if measure.cm <= cm]
        places.append(Place(measure.start, measure.end, tuple(inside[:1])))
    return places


def are_near(regions: Iterable[str], others: Iterable[str]) -> bool:
    """Whether two places have a region in common or regions that are neighbours."""
    indices = [REGIONS.index(region) for region in others]
    return any(abs(REGIONS.index(region) - i) <= 1 for region in regions for i in indices)


def nearest_place(places: Sequence[Place], head_start: int, head_end: int) -> Place | None:
    """Choose the place that belongs to a head: named regions first, then the one right after it."""
    named = [p for p in places if p.regions] or places
    if len(named) < 2:
        return named[0] if named else None

    def cost(place: Place) -> int:
        # A place after its head ("polyp in the rectum") binds closer than one before it.
        return place.start - head_end if place.start >= head_end else 12 + head_start - place.end

    return min(named, key=cost)
