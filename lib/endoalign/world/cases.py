"""The cases of the world: which lesions, whose examination, which centre, split and language."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from endoalign.vocabulary import LANGUAGES, SPLITS
from endoalign.world.cases_appearance import Appearance, sample_appearance
from endoalign.world.cases_extent import sample_operation, sample_reach
from endoalign.world.cases_sites import Site, sample_sites, seen_ranges
from endoalign.world.centres import Centre, centres_of
from endoalign.world.truth import CaseTruth, Lesion

SINGLE_LESION_SHARE: Final = 0.56  # of positive cases (EndoCLIP, methods 4.3: 56.2 % and 43.8 %)
THREE_LESION_SHARE: Final = 0.20  # of cases with several: 2.2 lesions a case as in EndoReport100
TWO_CASE_PATIENTS: Final = 0.05  # share of patients who come a second time
SPLIT_SHARES: Final = {"train": 0.7, "validation": 0.1, "test": 0.2}
_MIXED: Final = "mixed"
_SEEDS: Final = 2**31


@dataclass(frozen=True)
class Patient:
    """What all cases of a patient share; ``draw`` in [0, 1) decides the language."""

    patient_id: str
    centre: Centre
    draw: float
    operation: str | None


def sample_cases(
    n_positive: int,
    n_normal: int,
    *,
    seed: int,
    language: str,
    split_shares: Mapping[str, float] = SPLIT_SHARES,
) -> tuple[CaseTruth, ...]:
    """Draw the truth of ``n_positive + n_normal`` cases, in random order and fixed by ``seed``.

    ``language`` is "en", "zh" or "mixed" (by each centre's share). Splits follow ``split_shares``
    as closely as whole cases allow, alike for normal cases, one lesion and several; the cases of
    one patient stay in one split. Raises ``ValueError`` on negative numbers, an unknown language
    or split, and shares that do not add up to 1.
    """
    check_request(n_positive, n_normal, language, split_shares)
    rng = random.Random(f"cases/{seed}")
    counts = _lesion_counts(n_positive, n_normal)
    numbered = list(zip(counts, deal_splits(len(counts), split_shares), strict=True))
    rng.shuffle(numbered)
    patients = draw_patients([split for _, split in numbered], rng, sample_operation)
    cases = []
    for index, (n_lesions, split) in enumerate(numbered):
        patient = patients[index]
        mixed_chinese = language == _MIXED and patient.draw < patient.centre.chinese_share
        reach = sample_reach(patient.operation, rng)
        sites = sample_sites(n_lesions, rng, seen_ranges(reach, patient.operation))
        cases.append(
            CaseTruth(
                case_id=f"case_{index:06d}",
                patient_id=patient.patient_id,
                source=patient.centre.name,
                split=split,
                language="zh" if language == "zh" or mixed_chinese else "en",
                lesions=_lesions(f"case_{index:06d}", sites, rng),
                seed=rng.randrange(_SEEDS),
                reach=reach,
                operation=patient.operation,
            )
        )
    return tuple(cases)


def check_request(
    n_positive: int, n_normal: int, language: str, shares: Mapping[str, float]
) -> None:
    """Raise ``ValueError`` naming what no cases can be drawn from."""
    if n_positive < 0 or n_normal < 0:
        raise ValueError(f"numbers of cases must be >= 0, got {n_positive} and {n_normal}")
    known = (*LANGUAGES, _MIXED)
    if language not in known:
        raise ValueError(f"unknown language {language!r}; known languages: {', '.join(known)}")
    unknown = sorted(set(shares) - set(SPLITS))
    if unknown:
        raise ValueError(f"unknown split {unknown[0]!r}; known splits: {', '.join(SPLITS)}")
    whole = abs(sum(shares.values()) - 1.0) <= 1e-6  # false on NaN
    if not whole or min(shares.values()) < 0.0:
        raise ValueError(f"split_shares must be >= 0 and add up to 1, got {dict(shares)}")


def _lesion_counts(n_positive: int, n_normal: int) -> list[int]:
    """Lesions a case, sorted, in exact shares: normal, one lesion, two, three."""
    single = round(SINGLE_LESION_SHARE * n_positive)
    three = round(THREE_LESION_SHARE * (n_positive - single))
    two = n_positive - single - three
    return [0] * n_normal + [1] * single + [2] * two + [3] * three


def deal_splits(n_cases: int, shares: Mapping[str, float]) -> list[str]:
    """Give each case the split furthest behind its share: near exact on any run of cases."""
    given = dict.fromkeys(shares, 0)
    splits = []
    for done in range(1, n_cases + 1):
        behind = max(shares, key=lambda split: shares[split] * done - given[split])
        given[behind] += 1
        splits.append(behind)
    return splits


def draw_patients(
    splits: Sequence[str],
    rng: random.Random,
    operation: Callable[[random.Random], str | None],
    prefix: str = "patient",
) -> list[Patient]:
    """The patient of each case; now and then the latest of the same split comes again.

    ``operation`` draws a patient's earlier operation; ids are ``prefix`` and a number.
    """
    patients: list[Patient] = []
    latest: dict[str, Patient] = {}
    known = 0
    for split in splits:
        patient = latest.pop(split, None)
        if patient is None or rng.random() >= TWO_CASE_PATIENTS:
            centres = centres_of(split)
            centre = rng.choices(centres, weights=[each.weight for each in centres])[0]
            draw = rng.random()
            patient = Patient(f"{prefix}_{known:06d}", centre, draw, operation(rng))
            latest[split] = patient
            known += 1
        patients.append(patient)
    return patients


def _lesions(case_id: str, sites: Sequence[Site], rng: random.Random) -> tuple[Lesion, ...]:
    lesions = []
    first: Appearance | None = None
    for number, site in enumerate(sites, start=1):
        looks = sample_appearance(rng, first)
        first = first or looks
        lesions.append(
            Lesion(
                lesion_id=f"{case_id}/L{number}",
                region=site.region,
                distance_cm=site.distance_cm,
                clock=site.clock,
                paris=looks.paris,
                size_cm=looks.size_cm,
                colour=looks.colour,
                descriptors=looks.descriptors,
                seed=rng.randrange(_SEEDS),
            )
        )
    return tuple(lesions)
