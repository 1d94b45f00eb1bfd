"""What a report says, before it is said in any language: one record a statement of a lesion."""

from dataclasses import dataclass
from typing import Final

from endoalign.world.cases_sites import REGION_CM
from endoalign.world.truth import Lesion, StatedFinding
from endoalign.world.writer.size import SizeStatement

CLEAR_OF_BORDER_CM: Final = 2  # a distance alone names a region only this far inside its range


@dataclass(frozen=True)
class SiteStatement:
    """Where, and in which form: the name, with a third, a distance, or an abbreviation.

    ``form`` is "name", "adjective", "abbreviation", "third", "distance" (alone) or
    "name_distance"; ``third`` is "proximal", "mid" or "distal"; ``distance`` in whole cm.
    """

    region: str
    form: str
    third: str
    distance: int

    @property
    def told(self) -> tuple[object, ...]:
        """What a reader learns of the place."""
        third = self.third if self.form == "third" else None
        distance = self.distance if self.form in {"distance", "name_distance"} else None
        return (self.region, third, distance)


@dataclass(frozen=True)
class LesionStatement:
    """One statement of one lesion, or of two small ones at once.

    ``paris_form`` is "type" ("0-Is"), "word" ("sessile") or "both"; ``denied`` are descriptors
    the text says are absent; ``clock`` the stated hour.
    """

    lesions: tuple[Lesion, ...]
    site: SiteStatement | None
    size: SizeStatement | None
    paris: str | None
    paris_form: str
    colour: str | None
    descriptors: tuple[str, ...]
    denied: tuple[str, ...]
    clock: int | None

    @property
    def count(self) -> int:
        """How many lesions are meant."""
        return len(self.lesions)

    @property
    def signature(self) -> tuple[object, ...]:
        """All that the text tells of the lesion: two of one report must differ here."""
        numbers = self.size and self.size.millimetres
        place = self.site and self.site.told
        return (place, numbers, self.paris, self.colour, self.descriptors, self.clock)

    def finding(self) -> StatedFinding:
        """The truth of what is stated, not yet placed in the text."""
        return StatedFinding(
            start=0,
            end=0,
            kind="lesion",
            region=self.site.region if self.site else None,
            status=1,
            count=self.count,
            size_cm=self.size.size_cm if self.size else None,
            paris=self.paris,
            descriptors=self.descriptors,
            negated=False,
            lesion_ids=tuple(lesion.lesion_id for lesion in self.lesions),
        )


def plain_finding(kind: str, region: str | None, *, negated: bool = False) -> StatedFinding:
    """A statement without attributes or count: a normal region, another finding, a denial."""
    return StatedFinding(
        start=0,
        end=0,
        kind=kind,
        region=region,
        status=1 if kind == "other" and not negated else 0,
        count=None,
        size_cm=None,
        paris=None,
        descriptors=(),
        negated=negated,
    )


def third_of(region: str, distance_cm: float) -> str:
    """Which third of its region a place lies in; "" near the border of two thirds."""
    low, high = REGION_CM[region]
    share = (distance_cm - low) / (high - low)
    bands = (("distal", 0.0, 0.3), ("mid", 0.37, 0.63), ("proximal", 0.7, 1.0))
    return next((name for name, start, end in bands if start <= share <= end), "")


def distance_is_clear(region: str, distance: int) -> bool:
    """Whether a stated distance alone tells the region."""
    low, high = REGION_CM[region]
    return low + CLEAR_OF_BORDER_CM <= distance <= high - CLEAR_OF_BORDER_CM
