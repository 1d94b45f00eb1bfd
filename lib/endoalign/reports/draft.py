"""A finding in the making."""

from dataclasses import dataclass

from endoalign.reports.negation import Denial
from endoalign.reports.records import Value
from endoalign.reports.sentence import Sentence
from endoalign.reports.sites import Place


@dataclass(slots=True)
class Draft:
    """A finding with offsets of the normalised text, its fields still open to follow-ons.

    ``definite`` says that its noun points back ("the polyp"); ``denial`` is what denies it.
    """

    sentence: Sentence
    start: int
    end: int
    kind: str
    concept: str
    denial: Denial | None
    definite: bool
    place: Place | None
    regions: tuple[str, ...]
    count: Value[int] | None = None
    size: Value[float] | None = None
    paris: Value[str] | None = None
    descriptors: tuple[Value[str], ...] = ()

    @property
    def present(self) -> bool:
        """Whether it states an abnormality that is there."""
        return self.kind != "normal" and self.denial is None

    @property
    def is_present_lesion(self) -> bool:
        """Whether it states a lesion that is there."""
        return self.kind == "lesion" and self.denial is None

    @property
    def is_bare(self) -> bool:
        """Whether it says nothing of a lesion but that it is there."""
        return not (self.regions or self.size or self.paris or self.descriptors)

    def widen(self) -> None:
        """Stretch it over its cue, its site and its attributes."""
        parts = [self.denial, self.place, self.count, self.size, self.paris, *self.descriptors]
        self.start = min([self.start, *(p.start for p in parts if p is not None)])
        self.end = max([self.end, *(p.end for p in parts if p is not None)])

    def add(
        self,
        size: Value[float] | None,
        paris: Value[str] | None,
        descriptors: tuple[Value[str], ...],
    ) -> None:
        """Fill what is still open; what the first statement says stands.

        Only a size in a mere word ("diminutive") gives way to a measured one.
        """
        if self.size is None or (size is not None and self._has_size_in_a_word()):
            self.size = size
        self.paris = self.paris or paris
        known = {v.value for v in self.descriptors}
        self.descriptors += tuple(v for v in descriptors if v.value not in known)
        self.end = max([self.end, *(v.end for v in (size, paris, *descriptors) if v is not None)])

    def _has_size_in_a_word(self) -> bool:
        size = self.size
        return size is not None and self.sentence.text[size.start : size.end].isalpha()
