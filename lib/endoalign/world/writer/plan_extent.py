"""What a report tells of the bowel seen: how far, why no farther, and after which operation."""

import random
from dataclasses import dataclass, replace
from typing import Final

from endoalign.world.cases_extent import OPERATIONS
from endoalign.world.cases_sites import REGION_CM, is_complete, visited_regions
from endoalign.world.truth import CaseTruth, StatedFinding
from endoalign.world.writer.habits import Habits
from endoalign.world.writer.statements import plain_finding

STOP_CAUSES: Final[dict[str, float]] = {
    "looping": 0.35,
    "poor_preparation": 0.25,
    "stenosis": 0.22,
    "pain": 0.18,
}
"""Why endoscopists stop short of the caecum, with relative weights."""


@dataclass(frozen=True)
class Extent:
    """The bowel seen: its regions from the ileum down, the farthest of them, what limits it.

    ``cause`` is a name of `STOP_CAUSES` where the examination was incomplete, ``operation`` one of
    `endoalign.world.cases_extent.OPERATIONS` where the bowel was operated on.
    """

    regions: tuple[str, ...]
    reach: str
    cause: str | None
    operation: str | None

    @property
    def limited(self) -> bool:
        """Whether the report must not speak of the whole colon."""
        return self.cause is not None or self.operation is not None

    @property
    def point(self) -> str:
        """Where insertion ended: the region, or ``anastomosis`` where the colon ends in one."""
        at_join = self.operation is not None and "ileocecal" not in self.regions
        return "anastomosis" if at_join and self.reach != "terminal_ileum" else self.reach

    @property
    def narrowed(self) -> tuple[str, ...]:
        """The region that a stenosis closed, if one did: it is not normal."""
        return (self.reach,) if self.cause == "stenosis" else ()

    def stop_findings(self) -> tuple[StatedFinding, ...]:
        """Findings of the words that say why the endoscope stopped: a stenosis is one."""
        return tuple(plain_finding("other", region) for region in self.narrowed)


def plan_extent(case: CaseTruth, rng: random.Random) -> Extent:
    """Take over the truth of ``case``; where it was incomplete, draw the cause."""
    cause = None
    if case.operation is None and not is_complete(case):
        cause = rng.choices(tuple(STOP_CAUSES), weights=tuple(STOP_CAUSES.values()))[0]
    return Extent(visited_regions(case), case.reach, cause, case.operation)


def fit_habits(habits: Habits, extent: Extent, region: str) -> Habits:
    """Habits for a lesion in ``region``: no distance is told above a part that was taken out.

    There the bowel is shorter by a length that no report gives.
    """
    resected = OPERATIONS[extent.operation].resected if extent.operation is not None else ()
    if all(REGION_CM[region][0] < REGION_CM[gone][0] for gone in resected):
        return habits
    forms = {form: share for form, share in habits.site_forms.items() if "distance" not in form}
    return replace(habits, site_forms=forms)
