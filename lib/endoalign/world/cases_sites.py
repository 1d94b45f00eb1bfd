"""Which regions a case saw, and where its lesions lie there: region, distance, clock position."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from endoalign.vocabulary import COLON_REGIONS
from endoalign.world.cases_extent import OPERATIONS
from endoalign.world.truth import CaseTruth

REGION_CM: Final[dict[str, tuple[float, float]]] = {
    "rectum": (0.0, 15.0),
    "sigmoid_colon": (15.0, 40.0),
    "descending_colon": (40.0, 55.0),
    "splenic_flexure": (55.0, 62.0),
    "transverse_colon": (62.0, 95.0),
    "hepatic_flexure": (95.0, 102.0),
    "ascending_colon": (102.0, 120.0),
    "ileocecal": (120.0, 130.0),
    "terminal_ileum": (130.0, 145.0),
}
"""Each region's range of distances from the anal verge in cm, in order from the anus upwards."""

REGION_SHARES: Final[dict[str, float]] = {
    "rectum": 0.22,
    "sigmoid_colon": 0.29,
    "descending_colon": 0.11,
    "splenic_flexure": 0.03,
    "transverse_colon": 0.14,
    "hepatic_flexure": 0.05,
    "ascending_colon": 0.11,
    "ileocecal": 0.045,
    "terminal_ileum": 0.005,
}
"""Share of lesions a region: most in the distal bowel, as in polyp series."""

SAME_REGION_SHARE: Final = 0.20  # a later lesion of a case in the region of the first
NEXT_REGION_SHARE: Final = 0.15  # … or in a neighbouring one
CLOSE_SHARE: Final = 0.5  # of those in the same region: near enough to share a frame
CLOSE_CM: Final = 2.5
_EDGE_CM: Final = 0.5  # no lesion sits on the border of two regions
_ANAL_CM: Final = 2.0  # above the dentate line
_APART_CLOCK: Final = 1.5  # hours between two lesions of one region, so that both can be seen


@dataclass(frozen=True)
class Site:
    """A place on the wall: region, distance from the anal verge in cm, clock hours in [0, 12)."""

    region: str
    distance_cm: float
    clock: float


def seen_ranges(reach: str, operation: str | None) -> dict[str, tuple[float, float]]:
    """Range in cm, as in `REGION_CM`, of each region seen: up to ``reach`` and not resected.

    Distances count along the whole bowel, as if nothing had been taken out. Raises ``ValueError``
    where the region or the operation is unknown, or the region was taken out.
    """
    if reach not in REGION_CM:
        raise ValueError(f"unknown reach {reach!r}; known regions: {', '.join(REGION_CM)}")
    if operation is not None and operation not in OPERATIONS:
        known = ", ".join(OPERATIONS)
        raise ValueError(f"unknown operation {operation!r}; known operations: {known}")
    resected = OPERATIONS[operation].resected if operation is not None else ()
    if reach in resected:
        raise ValueError(f"reach {reach!r} does not exist after {operation!r}")
    top = REGION_CM[reach][1]
    ranges = {
        region: limits
        for region, limits in REGION_CM.items()
        if limits[1] <= top and region not in resected
    }
    height = OPERATIONS[operation].anastomosis_cm if operation is not None else None
    if height is not None:
        ranges["rectum"] = (ranges["rectum"][0], height)
    return ranges


def visited_regions(case: CaseTruth) -> tuple[str, ...]:
    """Colon regions seen in ``case``, in anatomical order from the ileum to the rectum.

    Raises ``ValueError`` as `seen_ranges`.
    """
    ranges = seen_ranges(case.reach, case.operation)
    return tuple(region for region in COLON_REGIONS if region in ranges)


def documented_regions(case: CaseTruth) -> tuple[str, ...]:
    """Regions seen that stills show and the report may call normal, from the ileum down."""
    return tuple(region for region in visited_regions(case) if region not in case.undocumented)


def is_complete(case: CaseTruth) -> bool:
    """Whether the complete colon was seen: from the rectum to the caecum, with nothing resected.

    The truth of eligibility: false for an incomplete examination and after a resection. The
    terminal ileum is not asked for.
    """
    return {*COLON_REGIONS[1:]} <= {*visited_regions(case)}


def sample_sites(
    n_lesions: int, rng: random.Random, ranges: Mapping[str, tuple[float, float]] = REGION_CM
) -> tuple[Site, ...]:
    """Draw the sites of one case; later lesions often lie in or beside the first one's region.

    ``ranges`` holds the regions seen with their limits in cm, from the anus upwards.
    """
    sites: list[Site] = []
    for _ in range(n_lesions):
        region = _next_region(sites, tuple(ranges), rng)
        distance = _distance(region, ranges[region], sites, rng)
        sites.append(Site(region, distance, _clock(region, sites, rng)))
    return tuple(sites)


def _next_region(sites: list[Site], regions: tuple[str, ...], rng: random.Random) -> str:
    draw = rng.random()
    if sites and draw < SAME_REGION_SHARE:
        return sites[0].region
    if sites and draw < SAME_REGION_SHARE + NEXT_REGION_SHARE:
        index = regions.index(sites[0].region)
        return rng.choice(regions[max(0, index - 1) : index] + regions[index + 1 : index + 2])
    return rng.choices(regions, weights=[REGION_SHARES[region] for region in regions])[0]


def _distance(
    region: str, limits: tuple[float, float], sites: list[Site], rng: random.Random
) -> float:
    low, high = max(limits[0] + _EDGE_CM, _ANAL_CM), limits[1] - _EDGE_CM
    siblings = [site.distance_cm for site in sites if site.region == region]
    if siblings and rng.random() < CLOSE_SHARE:
        low, high = max(low, siblings[0] - CLOSE_CM), min(high, siblings[0] + CLOSE_CM)
    return round(rng.uniform(low, high), 1)


def _clock(region: str, sites: list[Site], rng: random.Random) -> float:
    taken = [site.clock for site in sites if site.region == region]
    while True:
        hour = round(rng.uniform(0.0, 11.9), 1)
        gaps = (abs(hour - other) for other in taken)
        if all(min(gap, 12.0 - gap) >= _APART_CLOCK for gap in gaps):
            return hour
