"""The gastroscopies of the world: which findings, whose examination, which centre and split."""

import random
from collections.abc import Mapping, Sequence
from typing import Final

from endoalign.world.cases import SPLIT_SHARES, check_request, deal_splits, draw_patients
from endoalign.world.cases_appearance import sample_appearance
from endoalign.world.truth import Lesion
from endoalign.world.upper.extent import (
    sample_upper_operation,
    sample_upper_reach,
    seen_regions,
)
from endoalign.world.upper.truth import SPREAD_KINDS, UpperCase, UpperFinding

COUNT_SHARES: Final = {1: 0.45, 2: 0.35, 3: 0.2}
"""Findings of a case that has any."""
PLACES: Final[dict[str, dict[str, float]]] = {
    "redness": {"antrum": 4, "body": 3, "fundus": 1, "cardia": 1, "duodenum": 1.5, "angularis": 1},
    "erosion": {"antrum": 5, "esophagus": 2, "duodenum": 1.5, "body": 1.5, "pylorus": 1},
    "atrophy": {"antrum": 5, "angularis": 2.5, "body": 2.5, "pylorus": 0.5},
    "polyp": {"body": 4, "fundus": 3, "antrum": 1.5, "cardia": 1, "duodenum": 0.7},
    "ulcer": {"angularis": 3, "duodenum": 3, "antrum": 2.5, "body": 1, "pylorus": 0.7},
    "bile": {"body": 3, "antrum": 3, "fundus": 1.5},
    "varices": {"esophagus": 1},
}
"""Where each kind of finding lies, with relative weights."""
KIND_WEIGHTS: Final = {
    "redness": 4.0,
    "erosion": 4.0,
    "atrophy": 4.0,
    "polyp": 3.0,
    "ulcer": 2.5,
    "bile": 2.0,
    "varices": 1.2,
}
SIZES_CM: Final = {"redness": (0.9, 1.8), "erosion": (0.3, 0.6), "ulcer": (0.5, 1.4)}
COUNTS: Final = {"redness": (1, 3), "erosion": (1, 4), "ulcer": (1, 1), "polyp": (1, 1)}
LARGEST_POLYP_CM: Final = 1.5
POLYP_DESCRIPTORS: Final = frozenset(
    {
        "broad_base",
        "congestion",
        "erosion",
        "flat",
        "lobulated",
        "narrow_base",
        "rough",
        "smooth",
        "well_defined_margin",
    }
)
"""What a polyp of the stomach may look like here."""
INCISOR_CM: Final = {
    "esophagus": (20, 38),
    "cardia": (39, 41),
    "fundus": (42, 46),
    "body": (44, 55),
    "angularis": (55, 57),
    "antrum": (56, 60),
    "pylorus": (60, 61),
    "duodenum": (62, 75),
}
"""Distance of each region from the incisors, cm."""
_SEEDS: Final = 2**31


def sample_upper_cases(
    n_positive: int,
    n_normal: int,
    *,
    seed: int,
    language: str,
    split_shares: Mapping[str, float] = SPLIT_SHARES,
) -> tuple[UpperCase, ...]:
    """Draw ``n_positive`` gastroscopies with findings and ``n_normal`` without, in random order.

    Arguments and errors as of `endoalign.world.cases.sample_cases`.
    """
    check_request(n_positive, n_normal, language, split_shares)
    rng = random.Random(f"upper/{seed}")
    wanted = [0] * n_normal + [
        rng.choices(tuple(COUNT_SHARES), weights=tuple(COUNT_SHARES.values()))[0]
        for _ in range(n_positive)
    ]
    numbered = list(zip(wanted, deal_splits(len(wanted), split_shares), strict=True))
    rng.shuffle(numbered)
    splits = [split for _, split in numbered]
    patients = draw_patients(splits, rng, sample_upper_operation, "upper_patient")
    cases = []
    for index, (count, split) in enumerate(numbered):
        patient, case_id = patients[index], f"upper_{index:06d}"
        chinese = language == "mixed" and patient.draw < patient.centre.chinese_share
        reach = sample_upper_reach(patient.operation, rng)
        findings = _findings(case_id, count, seen_regions(reach, patient.operation), rng)
        cases.append(
            UpperCase(
                case_id=case_id,
                patient_id=patient.patient_id,
                source=patient.centre.name,
                split=split,
                language="zh" if language == "zh" or chinese else "en",
                findings=findings,
                seed=rng.randrange(_SEEDS),
                reach=reach,
                operation=patient.operation,
            )
        )
    return tuple(cases)


def _findings(
    case_id: str, count: int, regions: Sequence[str], rng: random.Random
) -> tuple[UpperFinding, ...]:
    """``count`` findings in ``regions``; a region has one local and one spread finding at most."""
    findings: list[UpperFinding] = []
    taken: set[tuple[str, bool]] = set()
    for _ in range(count):
        free = {
            (kind, region): KIND_WEIGHTS[kind] * weight / sum(PLACES[kind].values())
            for kind in PLACES
            for region, weight in PLACES[kind].items()
            if region in regions and (region, kind in SPREAD_KINDS) not in taken
        }
        if not free:  # an examination that ended early has few places
            break
        kind, region = rng.choices(tuple(free), weights=tuple(free.values()))[0]
        taken.add((region, kind in SPREAD_KINDS))
        findings.append(_finding(f"{case_id}/F{len(findings) + 1}", kind, region, rng))
    return tuple(findings)


def _finding(finding_id: str, kind: str, region: str, rng: random.Random) -> UpperFinding:
    clock, seed = round(rng.uniform(0.0, 11.9), 1), rng.randrange(_SEEDS)
    size = round(rng.uniform(*SIZES_CM[kind]), 2) if kind in SIZES_CM else 0.0
    lesion = _polyp(finding_id, region, clock, rng) if kind == "polyp" else None
    return UpperFinding(
        finding_id=finding_id,
        kind=kind,
        region=region,
        size_cm=lesion.size_cm if lesion else size,
        count=rng.randint(*COUNTS[kind]) if kind in COUNTS else 1,
        clock=clock,
        seed=seed,
        lesion=lesion,
    )


def _polyp(lesion_id: str, region: str, clock: float, rng: random.Random) -> Lesion:
    """A polyp as those of the colon, no larger than is usual here, without a villous surface."""
    looks = sample_appearance(rng)
    return Lesion(
        lesion_id=lesion_id,
        region=region,
        distance_cm=round(rng.uniform(*INCISOR_CM[region]), 1),
        clock=clock,
        paris=looks.paris,
        size_cm=min(looks.size_cm, LARGEST_POLYP_CM),
        colour=looks.colour,
        descriptors=tuple(name for name in looks.descriptors if name in POLYP_DESCRIPTORS),
        seed=rng.randrange(_SEEDS),
    )
