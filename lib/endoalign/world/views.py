"""Which pictures an examination keeps: many of the way through, few of a lesion, fewer clear."""

from typing import Final

import numpy as np

from endoalign.vocabulary import COLON_REGIONS
from endoalign.world.cases_sites import documented_regions
from endoalign.world.renderer.view import DISTRACTORS, View
from endoalign.world.truth import CaseTruth, Lesion

LESION_SHARE: Final = 0.3  # of a positive case's frames, beyond the one clear view of each lesion
_FRAMING_SHARES: Final = {
    "clear": 0.25,
    "partial": 0.2,
    "far": 0.2,
    "off_centre": 0.2,
    "behind_fold": 0.15,
}
_DISTRACTED_NORMAL: Final = 0.35
_DISTRACTED_LESION: Final = 0.15
_WITH_NEIGHBOUR: Final = 0.4


def plan_views(case: CaseTruth, n_frames: int) -> tuple[View, ...]:
    """Views of one examination in the order of withdrawal, from the ileum to the rectum.

    Only segments that the case documents are shown. Every lesion is framed clearly, without a
    distractor, at least once; a normal case shows none. Deterministic from ``case.seed``.
    ``ValueError`` where ``n_frames`` is below 1 or below the number of lesions.
    """
    if n_frames < max(1, len(case.lesions)):
        raise ValueError(
            f"case {case.case_id}: n_frames {n_frames} must be at least "
            f"{max(1, len(case.lesions))}, one for each lesion"
        )
    rng = np.random.default_rng([case.seed & 0xFFFFFFFF, 0xF66])
    patient_seed = int(rng.integers(2**31))
    views = _lesion_views(case.lesions, n_frames, patient_seed, rng)
    views += _passing_views(documented_regions(case), n_frames - len(views), patient_seed, rng)
    views.sort(key=lambda view: COLON_REGIONS.index(view.region))
    return tuple(views)


def _lesion_views(
    lesions: tuple[Lesion, ...], n_frames: int, patient_seed: int, rng: np.random.Generator
) -> list[View]:
    views = [
        View(lesion.region, (lesion,), "clear", None, int(rng.integers(2**31)), patient_seed)
        for lesion in lesions
    ]
    if not lesions:
        return views
    extra = min(round(LESION_SHARE * n_frames), n_frames - len(views))
    names, shares = list(_FRAMING_SHARES), list(_FRAMING_SHARES.values())
    for _ in range(extra):
        first = lesions[rng.integers(len(lesions))]
        shown: tuple[Lesion, ...] = (first,)
        near = [
            other
            for other in lesions
            if other is not first
            and other.region == first.region
            and other.size_cm + first.size_cm < 3.0
        ]
        if near and rng.random() < _WITH_NEIGHBOUR:
            shown = (first, near[rng.integers(len(near))])
        framing = str(rng.choice(names, p=shares))
        seed = int(rng.integers(2**31))
        views.append(
            View(first.region, shown, framing, _spoil(_DISTRACTED_LESION, rng), seed, patient_seed)
        )
    return views


def _passing_views(
    regions: tuple[str, ...], count: int, patient_seed: int, rng: np.random.Generator
) -> list[View]:
    """Views without a lesion, spread evenly over the segments that were seen."""
    order = rng.permutation(len(regions))
    return [
        View(
            regions[order[i % len(regions)]],
            (),
            "none",
            _spoil(_DISTRACTED_NORMAL, rng),
            int(rng.integers(2**31)),
            patient_seed,
        )
        for i in range(count)
    ]


def _spoil(share: float, rng: np.random.Generator) -> str | None:
    if rng.random() >= share:
        return None
    return DISTRACTORS[rng.integers(len(DISTRACTORS))]
