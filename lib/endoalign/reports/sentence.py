"""One sentence with everything that was recognised in it."""

from collections.abc import Mapping
from typing import NamedTuple

from endoalign.reports.grammar import Grammar
from endoalign.reports.layout import Located
from endoalign.reports.negation import Denial, find_denials
from endoalign.reports.records import Span
from endoalign.reports.sites import Place, distance_places, find_places
from endoalign.reports.sizes import Measure
from endoalign.reports.telling import STATING, Categories
from endoalign.reports.terms import Mention

_DESCRIBING = frozenset(("paris", "descriptor", "size"))


class Sentence(NamedTuple):
    """The sentence ``text[start:end]`` of a normalised lower-case report.

    ``by_category`` holds its mentions by category, ``measures`` its lengths and ``codes`` its Paris
    codes; ``places`` are its named sites, ``distances`` those given from the anal verge,
    ``implied`` one that the view implies; ``topic`` is the site that its heading names.
    """

    text: str
    grammar: Grammar
    start: int
    end: int
    section: str
    paragraph: int
    topic: Place | None
    by_category: Categories
    measures: list[Measure]
    codes: list[tuple[int, int, str]]
    places: list[Place]
    distances: list[Place]
    implied: Place | None
    denials: list[Denial]

    @property
    def states(self) -> bool:
        """Whether a noun of a finding, or the word normal, occurs in it."""
        return not STATING.isdisjoint(self.by_category)

    @property
    def describes(self) -> bool:
        """Whether it holds a size, a Paris type or a descriptor."""
        return bool(self.measures or self.codes or not _DESCRIBING.isdisjoint(self.by_category))


def cut_off(categories: Categories, end: int) -> Categories:
    """Return the mentions that lie before ``end``."""
    kept = {name: [m for m in own if m.end <= end] for name, own in categories.items()}
    return {name: own for name, own in kept.items() if own}


def build_sentence(
    text: str,
    grammar: Grammar,
    span: Span,
    at: Located,
    categories: Categories,
    measures: list[Measure],
    codes: list[tuple[int, int, str]],
    upto_cm: Mapping[str, float],
) -> Sentence:
    """Gather what a sentence holds; ``upto_cm`` is the lexicon's table of distances."""
    start, end = span.start, at.end
    if end < span.end:
        categories = cut_off(categories, end)
        measures = [m for m in measures if m.end <= end]
        codes = [code for code in codes if code[1] <= end]
    distances = [m for m in measures if m.kind == "distance"]
    return Sentence(
        text=text,
        grammar=grammar,
        start=start,
        end=end,
        section=at.section,
        paragraph=at.paragraph,
        topic=at.topic,
        by_category=categories,
        measures=measures,
        codes=codes,
        places=find_places(text, _sites(categories, distances), grammar),
        distances=distance_places(distances, upto_cm),
        implied=_implied(categories),
        denials=find_denials(text, start, end, categories, grammar),
    )


def _sites(categories: Categories, distances: list[Measure]) -> list[Mention]:
    """The named sites; the anus of "30 cm from the anus" is none, that of "inside the anus" is."""
    sites = categories.get("site", [])
    if "reference" in categories:
        sites = sorted([*sites, *categories["reference"]])
    if distances:
        sites = [m for m in sites if not any(d.start <= m.start < d.end for d in distances)]
    return sites


def _implied(categories: Categories) -> Place | None:
    mentions = categories.get("implied")
    if not mentions or not isinstance(mentions[0].value, tuple):
        return None
    return Place(mentions[0].start, mentions[0].end, mentions[0].value)
