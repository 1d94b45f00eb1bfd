"""Which pictures a gastroscopy keeps: some of each region, several of each finding."""

from typing import Final

import numpy as np

from endoalign.vocabulary import UPPER_REGIONS
from endoalign.world.renderer.upper_view import UpperView
from endoalign.world.upper.extent import documented_regions
from endoalign.world.upper.truth import UpperCase, UpperFinding

UPPER_DISTRACTORS: Final = (
    "blur",
    "motion_blur",
    "wall_contact",
    "fluid",
    "bubbles",
    "instrument",
    "text",
    "overexposure",
)
_FRAMED_SHARE: Final = 0.55  # of the further frames of a region with a local finding
_FRAMING_SHARES: Final = {"clear": 0.45, "off_centre": 0.35, "far": 0.2}
_DISTRACTED_SHARE: Final = 0.15
_DISTRACTED_FRAMED: Final = 0.08


def plan_upper_views(case: UpperCase, n_frames: int) -> tuple[UpperView, ...]:
    """Views of one gastroscopy in the order of the regions, from the oesophagus down.

    Every finding is shown without a distractor at least once, a local one clearly; the other
    frames are spread evenly over the regions that the case documents. Deterministic from
    ``case.seed``. ``ValueError`` where ``n_frames`` is below 1 or below the number of findings.
    """
    least = max(1, len(case.findings))
    if n_frames < least:
        raise ValueError(
            f"case {case.case_id}: n_frames {n_frames} must be at least {least}, "
            "one for each finding"
        )
    rng = np.random.default_rng([case.seed & 0xFFFFFFFF, 0xF77])
    patient_seed = int(rng.integers(2**31))
    regions = documented_regions(case)
    spread = {each.region: each for each in case.findings if each.spread}
    local = {each.region: each for each in case.findings if not each.spread}
    needed = list(dict.fromkeys([*local, *spread]))
    others = [region for region in regions if region not in needed]
    order = [*needed, *(others[i] for i in rng.permutation(len(others)))]
    views = []
    for i in range(n_frames):
        region = order[i % len(order)]
        first = i < len(needed)
        framed = local.get(region) if first or rng.random() < _FRAMED_SHARE else None
        views.append(
            UpperView(
                region,
                _shown(framed, spread.get(region)),
                _framing(framed, first, rng),
                None if first else _spoil(framed, rng),
                int(rng.integers(2**31)),
                patient_seed,
            )
        )
    return tuple(sorted(views, key=lambda view: UPPER_REGIONS.index(view.region)))


def _shown(local: UpperFinding | None, spread: UpperFinding | None) -> tuple[UpperFinding, ...]:
    return tuple(finding for finding in (local, spread) if finding is not None)


def _framing(framed: UpperFinding | None, first: bool, rng: np.random.Generator) -> str:
    if framed is None:
        return "none"
    if first:
        return "clear"
    return str(rng.choice(list(_FRAMING_SHARES), p=list(_FRAMING_SHARES.values())))


def _spoil(framed: UpperFinding | None, rng: np.random.Generator) -> str | None:
    if rng.random() >= (_DISTRACTED_SHARE if framed is None else _DISTRACTED_FRAMED):
        return None
    return UPPER_DISTRACTORS[rng.integers(len(UPPER_DISTRACTORS))]
