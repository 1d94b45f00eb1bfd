"""Who is examined, and what each picture of an examination shows.

A patient has one organ a side, with its own findings, which all pictures of it share; both ears or
nostrils are drawn apart. A clinic, one of several, examines with its own scopes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from endoalign.vocabulary import ENT_CLASSES
from endoalign.world.ent.classes import (
    ENTREP_COUNTS,
    FINDINGS,
    TOGETHER,
    side_of,
    site_of,
)
from endoalign.world.ent.devices import DEVICES, RIGID
from endoalign.world.ent.picture import EntView
from endoalign.world.ent.settings import EntSettings

_SECOND_EXAMINATION: Final = 0.15
_SECOND_FINDING: Final = 0.3
_MOST_OF_A_CLASS: Final = 3
"""Pictures of one class in one examination."""


@dataclass(frozen=True)
class PlannedPicture:
    """One picture before it is rendered: whose it is, and what it shows."""

    picture_id: str
    patient_id: str
    exam_id: str
    split: str
    view: EntView
    words_seed: int


def plan_examinations(settings: EntSettings, *, seed: int) -> Iterator[PlannedPicture]:
    """Plan all pictures of a set, patient by patient; the same arguments give the same plan.

    Ids are ``p0001``, ``p0001_e1`` and ``p0001_e1_Image01``. A patient is in one split alone.
    """
    splits = _splits(settings, np.random.default_rng([seed & 0xFFFFFFFF, 0x5917]))
    for number, split in enumerate(splits):
        rng = np.random.default_rng([seed & 0xFFFFFFFF, number, 0xE4A])
        yield from _patient(f"p{number + 1:04d}", split, settings, rng)


def _splits(settings: EntSettings, rng: np.random.Generator) -> list[str]:
    count = settings.patients
    test = round(settings.test_share * count)
    validation = min(round(settings.validation_share * count), count - test)
    names = ["test"] * test + ["validation"] * validation
    names += ["train"] * (count - len(names))
    return [names[i] for i in rng.permutation(count)]


def _patient(
    patient_id: str, split: str, settings: EntSettings, rng: np.random.Generator
) -> Iterator[PlannedPicture]:
    organs: dict[tuple[str, str | None], tuple[tuple[str, ...], float, int]] = {}
    for ent_class in ENT_CLASSES:
        organ = (site_of(ent_class), side_of(ent_class))
        if organ not in organs:
            findings = _findings(organ[0], settings.healthy_share, rng)
            organs[organ] = findings, float(rng.random()), int(rng.integers(2**31))
    for exam in range(1 + int(rng.random() < _SECOND_EXAMINATION)):
        exam_id = f"{patient_id}_e{exam + 1}"
        scopes = rng.choice(list(DEVICES), 2, replace=False)
        otoscope = str(rng.choice(RIGID))
        for index, ent_class in enumerate(_classes(settings, rng)):
            findings, severity, anatomy = organs[site_of(ent_class), side_of(ent_class)]
            device = str(scopes[int(rng.random() < 0.3)])
            if site_of(ent_class) == "ear":
                device = otoscope
            view_seed, words_seed = (int(s) for s in rng.integers(2**31, size=2))
            yield PlannedPicture(
                f"{exam_id}_Image{index + 1:02d}",
                patient_id,
                exam_id,
                split,
                EntView(ent_class, findings, severity, device, anatomy, view_seed),
                words_seed,
            )


def _classes(settings: EntSettings, rng: np.random.Generator) -> list[str]:
    """Classes of the pictures of one examination, in the challenge's order."""
    shares = np.array([ENTREP_COUNTS[name] for name in ENT_CLASSES], dtype=float)
    if settings.balance == "equal":
        shares = np.ones(len(ENT_CLASSES))
    mean = settings.pictures_per_examination
    count = int(rng.integers(max(1, round(0.5 * mean)), round(1.5 * mean) + 1))
    drawn = rng.multinomial(min(count, _MOST_OF_A_CLASS * len(shares)), shares / shares.sum())
    return [
        name
        for name, times in zip(ENT_CLASSES, drawn, strict=True)
        for _ in range(min(int(times), _MOST_OF_A_CLASS))
    ]


def _findings(site: str, healthy_share: float, rng: np.random.Generator) -> tuple[str, ...]:
    if rng.random() < healthy_share:
        return ()
    known = FINDINGS[site]
    first = known[int(rng.integers(len(known)))]
    partners = [name for name in known if frozenset((first, name)) in TOGETHER]
    if partners and rng.random() < _SECOND_FINDING:
        return (first, partners[int(rng.integers(len(partners)))])
    return (first,)
