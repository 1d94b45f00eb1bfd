"""How well an engine's triplets agree with known ones: precision, recall and F1, with counts.

Triplets of one report are matched one to one where their spans overlap; of all matchings with the
most pairs, the one that agrees most counts (region before status), then the one that shares the
most characters. A pair with equal values is a true positive; a pair with unequal ones a false
positive and a false negative; a triplet without a partner counts against its side. Counts add up
over the reports (micro average).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment

from endoalign.reports.triplets.records import Extraction, Triplet

Cases = Mapping[str, Sequence[Triplet]]

FIELDS: Final[dict[str, Callable[[Triplet], object]]] = {
    "region": lambda t: t.region,
    "status": lambda t: t.status,
    "region and status": lambda t: (t.region, t.status),
}
"""Field -> the value of a triplet that must be equal."""


def compare_engines(extractions: Sequence[Extraction], true: Cases) -> pd.DataFrame:
    """Agreement of every engine with the truth, side by side.

    Args:
        extractions: what each engine read; cases the truth lacks are taken to have no triplets.
        true: the known triplets of every case to compare on.

    Returns:
        One row an engine and field of `FIELDS`: ``engine, field, precision, recall, f1, tp, fp,
        fn, reports, rejected``; a figure without anything to divide by is NaN.

    Raises:
        ValueError: an engine has not read a case of the truth; the message names it.
    """
    tables = []
    for extraction in extractions:
        read = extraction.by_case()
        missing = [case for case in true if case not in read]
        if missing:
            raise ValueError(
                f"the engine {extraction.engine} has not read {len(missing)} cases of the truth, "
                f"the first is {missing[0]!r}"
            )
        rejected = sum(r.outcome != "accepted" and r.case_id in true for r in extraction.reports)
        table = agreement(read, true).assign(reports=len(true), rejected=rejected)
        table.insert(0, "engine", extraction.engine)
        tables.append(table)
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def agreement(predicted: Cases, true: Cases) -> pd.DataFrame:
    """Precision, recall and F1 of every field of `FIELDS` over the cases of ``true``."""
    counts = {field: np.zeros(3, dtype=int) for field in FIELDS}
    for case, known in true.items():
        read = predicted.get(case, ())
        pairs = match_triplets(read, known)
        for field, value in FIELDS.items():
            equal = sum(value(read[i]) == value(known[j]) for i, j in pairs)
            counts[field] += (equal, len(read) - equal, len(known) - equal)
    return pd.DataFrame([_row(field, *map(int, counts[field])) for field in FIELDS])


def match_triplets(predicted: Sequence[Triplet], true: Sequence[Triplet]) -> list[tuple[int, int]]:
    """Pairs ``(index in predicted, index in true)`` of one report, sorted; see the module."""
    if not predicted or not true:
        return []
    shared = np.array(
        [[max(0, min(p.end, t.end) - max(p.start, t.start)) for t in true] for p in predicted],
        dtype=float,
    )
    agree = np.array(
        [[2 * (p.region == t.region) + (p.status == t.status) for t in true] for p in predicted]
    )
    # One more pair outweighs all agreement, one more agreement all shared characters.
    pairs = min(len(predicted), len(true))
    gain = 4.0 * pairs + agree + shared / (shared.sum() + 1)
    rows, columns = linear_sum_assignment(np.where(shared > 0, gain, 0.0), maximize=True)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if shared[i, j] > 0]


def _row(field: str, tp: int, fp: int, fn: int) -> dict[str, object]:
    return {
        "field": field,
        "precision": _share(tp, tp + fp),
        "recall": _share(tp, tp + fn),
        "f1": _share(2 * tp, 2 * tp + fp + fn),
        "tp": tp,
        "fp": fp,
        "fn": fn,
    }


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
