"""Examinations that document some regions only: the others have neither a still nor a sentence."""

import random
from dataclasses import replace
from typing import TypeVar

from endoalign.world.cases_sites import visited_regions
from endoalign.world.truth import CaseTruth
from endoalign.world.upper.extent import seen_regions
from endoalign.world.upper.truth import UpperCase

Case = TypeVar("Case", CaseTruth, UpperCase)


def partly_documented(case: Case, share: float) -> Case:
    """The same case, each region left undocumented with chance ``share``.

    Regions with a finding are always documented, and so is one of the two farthest regions, at
    random: it shows how far the examination got. Deterministic from ``case.seed``.
    """
    rng = random.Random(f"undocumented/{case.seed}")
    kept = {rng.choice(_farthest(case)), *_regions_with_a_finding(case)}
    left_out = [region for region in _passed(case) if rng.random() < share and region not in kept]
    return replace(case, undocumented=tuple(left_out))


def _passed(case: CaseTruth | UpperCase) -> tuple[str, ...]:
    if isinstance(case, UpperCase):
        return seen_regions(case.reach, case.operation)
    return visited_regions(case)


def _farthest(case: CaseTruth | UpperCase) -> tuple[str, ...]:
    """The last one or two regions that the endoscope reached."""
    passed = _passed(case)
    at = passed.index(case.reach)
    return passed[max(0, at - 1) : at + 1] if at else passed[:2]


def _regions_with_a_finding(case: CaseTruth | UpperCase) -> set[str]:
    found = case.findings if isinstance(case, UpperCase) else case.lesions
    return {one.region for one in found}
