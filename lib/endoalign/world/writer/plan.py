"""The content plan: which part of the truth a report states, the same for every language."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from endoalign.world.truth import CaseTruth, Lesion
from endoalign.world.writer.habits import Habits
from endoalign.world.writer.plan_extent import Extent, fit_habits, plan_extent
from endoalign.world.writer.plan_lesion import spell_out, state_lesion
from endoalign.world.writer.statements import LesionStatement

OTHERS: Final[dict[str, tuple[str, ...]]] = {
    "diverticula": ("sigmoid_colon", "descending_colon", "ascending_colon"),
    "haemorrhoids": ("rectum",),
    "erythema": ("rectum", "sigmoid_colon", "transverse_colon"),
    "melanosis": ("ascending_colon", "transverse_colon"),
    "angioectasia": ("ileocecal", "ascending_colon"),
}
"""Abnormal findings that are no polyps, and where they are seen."""
OTHER_WEIGHTS: Final = (4, 4, 2, 1, 1)
_SMALL_CM: Final = 0.65  # the largest of two polyps stated at once


@dataclass(frozen=True)
class Plan:
    """What one report says: extent, lesions, other findings with their regions, normal regions."""

    extent: Extent
    lesions: tuple[LesionStatement, ...]
    others: tuple[tuple[str, str], ...]
    normal_regions: tuple[str, ...]
    impression: bool
    history: bool  # the indication tells of earlier polyps

    @property
    def lesion_regions(self) -> frozenset[str]:
        """Where lesions lie, stated or not: no report calls these regions normal."""
        return frozenset(lesion.region for each in self.lesions for lesion in each.lesions)

    @property
    def abnormal(self) -> bool:
        """Whether the report tells of anything that is not normal."""
        return bool(self.lesions or self.others or self.extent.narrowed)


def plan_report(case: CaseTruth, habits: Habits, rng: random.Random) -> Plan:
    """Draw what the report of ``case`` states, by the habits of its style."""
    extent = plan_extent(case, rng)
    groups = _groups(case.lesions, habits, rng)
    lesions: list[LesionStatement] = []
    for group in groups:
        statement = state_lesion(group, fit_habits(habits, extent, group[0].region), rng)
        if statement.signature in {other.signature for other in lesions}:
            statement = spell_out(statement)
        lesions.append(statement)
    others = _others(extent.regions, habits, rng)
    busy = {lesion.region for lesion in case.lesions} | {region for _, region in others}
    silent = {*busy, *extent.narrowed, *case.undocumented}
    quiet = [region for region in extent.regions if region not in silent]
    n_normal = min(len(quiet), rng.randint(*habits.normal_regions))
    normal = set(rng.sample(quiet, n_normal))
    return Plan(
        extent=extent,
        lesions=tuple(lesions),
        others=others,
        normal_regions=tuple(region for region in extent.regions if region in normal),
        impression=rng.random() < habits.impression,
        history=rng.random() < 0.3,
    )


def _groups(
    lesions: Sequence[Lesion], habits: Habits, rng: random.Random
) -> list[tuple[Lesion, ...]]:
    """One statement a lesion, from the caecum down, but at times two small ones at once."""
    order = sorted(lesions, key=lambda lesion: -lesion.distance_cm)
    groups: list[tuple[Lesion, ...]] = []
    for lesion in order:
        pair = (*groups[-1], lesion) if groups else (lesion,)
        alike = len(pair) == 2 and pair[0].region == lesion.region
        small = all(each.size_cm <= _SMALL_CM for each in pair)
        if alike and small and rng.random() < habits.merge:
            groups[-1] = pair
        else:
            groups.append((lesion,))
    return groups


def _others(seen: Sequence[str], habits: Habits, rng: random.Random) -> tuple[tuple[str, str], ...]:
    """Up to two abnormal findings that are no polyps, in regions that were seen."""
    kinds = dict.fromkeys(rng.choices(tuple(OTHERS), weights=OTHER_WEIGHTS, k=2))
    others = []
    for kind in kinds:
        places = [region for region in OTHERS[kind] if region in seen]
        if places and rng.random() < habits.other:
            others.append((kind, rng.choice(places)))
    return tuple(others)
