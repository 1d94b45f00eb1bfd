"""Who has colitis, how far it reaches and how it is graded: the truth before a picture is taken.

Ulcerative colitis begins at the rectum and reaches proximally without a gap, mildest where it ends
(extent by the Montreal classification: E1 proctitis, E2 left-sided, E3 beyond the splenic flexure).
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from endoalign.vocabulary import COLON_REGIONS
from endoalign.world.colitis.settings import ColitisSettings
from endoalign.world.renderer.colitis import MAYO_GRADES, Inflammation, sample_inflammation
from endoalign.world.renderer.view import View

DISTAL_FIRST: Final = tuple(r for r in reversed(COLON_REGIONS) if r != "terminal_ileum")
"""Segments in the order in which the disease takes them."""
EXTENTS: Final = {"E1": (1, 1), "E2": (2, 4), "E3": (5, len(DISTAL_FIRST))}
"""Least and largest number of segments of each Montreal extent."""
_EXTENT_WEIGHTS: Final = (0.3, 0.4, 0.3)
_MILDER: Final = 0.35  # chance that the next segment is a grade better
CLEAR_CENTRES: Final = ("centre_a", "centre_c", "centre_f", "centre_g", "centre_i", "centre_j")
"""Centres whose optics show the vessels of the mucosa, on which grade 0 rests."""
_DISTRACTORS: Final = ("bubbles", "text")  # a blurred picture would not be graded
_SEEDS: Final = 2**31


@dataclass(frozen=True)
class ColitisFrame:
    """One picture to take: ``mayo`` is the grade of what it shows, ``view.colitis`` its signs."""

    frame_id: str
    mayo: int
    view: View


@dataclass(frozen=True)
class ColitisPatient:
    """One patient at one examination.

    ``mayo`` is the worst grade of the examination, its subscore; ``extent`` a key of `EXTENTS`, or
    ``None`` where nothing is inflamed; ``segments`` the grade of each segment, rectum first.
    """

    patient_id: str
    source: str
    split: str
    mayo: int
    extent: str | None
    segments: tuple[tuple[str, int], ...]
    frames: tuple[ColitisFrame, ...]
    seed: int


def sample_patients(settings: ColitisSettings, *, seed: int) -> tuple[ColitisPatient, ...]:
    """Draw patients and the pictures to take of each, fixed by ``settings`` and ``seed``.

    All pictures of a patient are in one split; splits have the worst grades in equal shares. Where
    a patient is inflamed anywhere, at least one picture shows the worst grade.
    """
    rng = random.Random(f"colitis/{seed}")
    worst = sorted(rng.choices(MAYO_GRADES, settings.mayo_weights(), k=settings.patients))
    numbered = list(zip(worst, _splits(len(worst), settings), strict=True))
    rng.shuffle(numbered)
    return tuple(
        _patient(f"uc_{index:05d}", grade, split, settings, rng)
        for index, (grade, split) in enumerate(numbered)
    )


def _splits(count: int, settings: ColitisSettings) -> list[str]:
    """Give each patient, sorted by grade, the split furthest behind its share."""
    shares = {"validation": settings.validation_share, "test": settings.test_share}
    shares = {"train": 1.0 - sum(shares.values())} | shares
    given = dict.fromkeys(shares, 0)
    splits = []
    for done in range(1, count + 1):
        behind = max(shares, key=lambda split: shares[split] * done - given[split])
        given[behind] += 1
        splits.append(behind)
    return splits


def _patient(
    name: str, worst: int, split: str, settings: ColitisSettings, rng: random.Random
) -> ColitisPatient:
    extent = rng.choices(tuple(EXTENTS), _EXTENT_WEIGHTS)[0] if worst else None
    grades = _segment_grades(worst, extent, rng)
    seed = rng.randrange(_SEEDS)
    signs = {
        region: sample_inflammation(grade, np.random.default_rng([seed, i]))
        for i, (region, grade) in enumerate(grades.items())
    }
    return ColitisPatient(
        patient_id=name,
        source=settings.source or rng.choice(CLEAR_CENTRES),
        split=split,
        mayo=worst,
        extent=extent,
        segments=tuple(grades.items()),
        frames=_frames(name, grades, signs, seed, settings, rng),
        seed=seed,
    )


def _segment_grades(worst: int, extent: str | None, rng: random.Random) -> dict[str, int]:
    """Grade of each segment, from the rectum on: never worse than the segment before it."""
    grades = dict.fromkeys(DISTAL_FIRST, 0)
    if extent is None:
        return grades
    grade = worst
    for region in DISTAL_FIRST[: rng.randint(*EXTENTS[extent])]:
        grades[region] = grade
        if grade > 1 and rng.random() < _MILDER:
            grade -= 1
    return grades


def _frames(
    name: str,
    grades: dict[str, int],
    signs: dict[str, Inflammation],
    seed: int,
    settings: ColitisSettings,
    rng: random.Random,
) -> tuple[ColitisFrame, ...]:
    inflamed = [region for region, grade in grades.items() if grade]
    calm = [region for region, grade in grades.items() if not grade]
    regions = [DISTAL_FIRST[0]]  # the rectum is the worst, and always seen
    for _ in range(settings.frames_per_patient - 1):
        ill = bool(inflamed) and (not calm or rng.random() < settings.inflamed_share)
        regions.append(rng.choice(inflamed if ill else calm))
    regions.sort(key=COLON_REGIONS.index)
    frames = []
    for number, region in enumerate(regions):
        spoilt = rng.random() < settings.distractor_share
        distractor = rng.choice(_DISTRACTORS) if spoilt else None
        view = View(region, (), "none", distractor, rng.randrange(_SEEDS), seed, signs[region])
        frames.append(ColitisFrame(f"{name}/{number:03d}", grades[region], view))
    return tuple(frames)


def grade_counts(patients: Sequence[ColitisPatient]) -> dict[int, int]:
    """Number of pictures of each Mayo grade, those without any included."""
    counts = dict.fromkeys(MAYO_GRADES, 0)
    for patient in patients:
        for frame in patient.frames:
            counts[frame.mayo] += 1
    return counts
