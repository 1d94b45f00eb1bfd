"""How much of the upper tract a gastroscopy saw: earlier resections, and where it had to stop."""

import random
from typing import Final

from endoalign.vocabulary import UPPER_REGIONS
from endoalign.world.upper.truth import UpperCase

OPERATED_SHARE: Final = 0.03  # of patients: as follow-up after cancer surgery in a mixed clinic
INCOMPLETE_SHARE: Final = 0.03  # of unoperated cases

OPERATIONS: Final[dict[str, tuple[str, ...]]] = {
    "distal_gastrectomy": ("angularis", "antrum", "pylorus", "duodenum"),
}
"""Resections by name, with the regions that are gone: the stump joins the jejunum."""
STOP_SHARES: Final[dict[str, float]] = {"esophagus": 0.15, "body": 0.5, "antrum": 0.35}
"""Where an examination that was not tolerated ended."""


def sample_upper_operation(rng: random.Random) -> str | None:
    """Draw a patient's earlier resection; mostly none."""
    return rng.choice(tuple(OPERATIONS)) if rng.random() < OPERATED_SHARE else None


def sample_upper_reach(operation: str | None, rng: random.Random) -> str:
    """Draw the farthest region seen; an operated stomach is seen to its end."""
    if operation is not None:
        kept = [region for region in UPPER_REGIONS if region not in OPERATIONS[operation]]
        return kept[-1]
    if rng.random() < INCOMPLETE_SHARE:
        return rng.choices(tuple(STOP_SHARES), weights=tuple(STOP_SHARES.values()))[0]
    return UPPER_REGIONS[-1]


def seen_regions(reach: str, operation: str | None) -> tuple[str, ...]:
    """Upper regions seen, from the oesophagus down, as far as ``reach``.

    ``ValueError`` where the region or the operation is unknown, or the region was taken out.
    """
    if reach not in UPPER_REGIONS:
        raise ValueError(f"unknown reach {reach!r}; known regions: {', '.join(UPPER_REGIONS)}")
    if operation is not None and operation not in OPERATIONS:
        known = ", ".join(OPERATIONS)
        raise ValueError(f"unknown operation {operation!r}; known operations: {known}")
    resected = OPERATIONS[operation] if operation is not None else ()
    if reach in resected:
        raise ValueError(f"reach {reach!r} does not exist after {operation!r}")
    upto = UPPER_REGIONS[: UPPER_REGIONS.index(reach) + 1]
    return tuple(region for region in upto if region not in resected)


def documented_regions(case: UpperCase) -> tuple[str, ...]:
    """Upper regions that stills show and the report tells of, from the oesophagus down."""
    seen = seen_regions(case.reach, case.operation)
    return tuple(region for region in seen if region not in case.undocumented)


def is_complete_upper(case: UpperCase) -> bool:
    """Whether all eight regions were seen, with nothing resected."""
    return seen_regions(case.reach, case.operation) == UPPER_REGIONS
