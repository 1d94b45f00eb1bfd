"""Training, validation and test: patient by patient, and there before anything heavy is done."""

import hashlib
from typing import Final

import pandas as pd

from endoalign.corpus.rows import IngestError
from endoalign.corpus.validation import CorpusError
from endoalign.vocabulary import SPLITS

BY_PATIENT: Final = "by_patient"
"""Split of a source whose cases are divided by `split_of`."""
SHARES: Final = {"train": 0.8, "validation": 0.1, "test": 0.1}


def split_of(patient_id: str) -> str:
    """The split of a patient, by the shares of `SHARES`.

    It depends on the id alone: an archive that grows, or is read in parts, moves nobody.
    """
    digest = hashlib.sha256(f"split of {patient_id}".encode()).digest()
    place = int.from_bytes(digest[:8], "big") / 2**64
    for name, share in SHARES.items():
        if place < share:
            return name
        place -= share
    return SPLITS[-1]


def divided(cases: pd.DataFrame) -> pd.DataFrame:
    """Cases whose split is `BY_PATIENT` get one; the others keep theirs.

    Args:
        cases: with ``case_id``, ``patient_id`` and ``split``.

    Raises:
        IngestError: a patient has cases in several splits, which would make a test too easy.
    """
    open_ones = cases["split"] == BY_PATIENT
    told = cases["split"].mask(open_ones, cases["patient_id"].map(split_of))
    cases = cases.assign(split=told)
    several = cases.groupby("patient_id")["split"].nunique()
    shared = several.index[several > 1]
    if len(shared):
        own = cases[cases["patient_id"] == shared[0]]
        raise IngestError(
            f"patient {shared[0]!r} has cases in several splits "
            f"({', '.join(f'{c}: {s}' for c, s in zip(own['case_id'], own['split'], strict=True))})"
            f"; so have {len(shared)} patients of {len(several)}. Keep each in one split, or set "
            f"split: {BY_PATIENT} and leave the column out"
        )
    return cases


def need_cases(cases: pd.DataFrame, *splits: str) -> None:
    """Raise a `CorpusError` unless each of the splits has an eligible case.

    Args:
        cases: of a curated corpus, with ``split`` and ``eligible``.
    """
    counts = cases.loc[cases["eligible"].fillna(False).astype(bool), "split"].value_counts()
    for split in splits:
        if split not in counts:
            known = ", ".join(f"{name} {count:,}" for name, count in counts.items()) or "none"
            raise CorpusError(
                f"no eligible case of the split {split!r} (eligible: {known}). Give the reports a "
                f"column split, or the source split: {BY_PATIENT}; see docs/your_data.md"
            )
