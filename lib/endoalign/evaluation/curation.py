"""Curation measured against known findings: precision, recall and F1 a field, with intervals."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

from endoalign.evaluation.bootstrap import FloatArray, ratio, ratio_of_sums
from endoalign.evaluation.extraction import FIELDS, FindingRecord, count_report

METRICS: Final[dict[str, Callable[[FloatArray], FloatArray]]] = {
    "precision": lambda sums: ratio(sums[:, 0], sums[:, 0] + sums[:, 1]),
    "recall": lambda sums: ratio(sums[:, 0], sums[:, 0] + sums[:, 2]),
    "f1": lambda sums: ratio(2 * sums[:, 0], 2 * sums[:, 0] + sums[:, 1] + sums[:, 2]),
}
"""Metric -> function of sums (m, 3) of true positives, false positives and false negatives."""

Records = Mapping[str, list[FindingRecord]]


@dataclass(frozen=True)
class FieldFigure:
    """One metric of one field over a corpus; ``n`` values were stated in truth."""

    field: str
    metric: str
    value: float
    interval: tuple[float, float]
    n: int


def records_of(findings: pd.DataFrame) -> dict[str, list[FindingRecord]]:
    """Findings a case, from the table of findings or of true findings (`corpus.schemas`)."""
    records: dict[str, list[FindingRecord]] = {}
    for row in findings.to_dict("records"):
        records.setdefault(str(row["case_id"]), []).append(_record(row))
    return records


def shuffled_ids(case_ids: list[str], seed: int) -> list[str]:
    """For each case another one, drawn at random: what chance alone reads is that one's report."""
    return [case_ids[other] for other in np.random.default_rng(seed).permutation(len(case_ids))]


def measure_curation(
    predicted: Records, true: Records, case_ids: Iterable[str], *, resamples: int, seed: int
) -> list[FieldFigure]:
    """Every metric of every field, with 95 % intervals over resampled cases.

    Args:
        predicted: findings a case, as read out of its report.
        true: findings a case, as known.
        case_ids: the cases to measure on; a case absent from either side has no findings there.
    """
    counts = [count_report(predicted.get(c, []), true.get(c, [])) for c in case_ids]
    figures: list[FieldFigure] = []
    for field in FIELDS:
        sums = np.array([(c[field].tp, c[field].fp, c[field].fn) for c in counts], dtype=float)
        figures += field_figures(field, sums, resamples=resamples, seed=seed)
    return figures


def measure_exclusion(
    excluded: Collection[str],
    unfit: Collection[str],
    case_ids: Iterable[str],
    *,
    resamples: int,
    seed: int,
) -> list[FieldFigure]:
    """Figures of the cases that curation excluded, against those that are truly unfit."""
    pairs = [(case_id in excluded, case_id in unfit) for case_id in case_ids]
    sums = np.array([(p and t, p and not t, t and not p) for p, t in pairs], dtype=float)
    return field_figures("exclusion", sums, resamples=resamples, seed=seed)


def field_figures(field: str, sums: FloatArray, *, resamples: int, seed: int) -> list[FieldFigure]:
    """Every metric of one field; ``sums`` is (n_cases, 3): true and false positives, misses."""
    stated = int(sums[:, [0, 2]].sum())
    figures = []
    for metric, function in METRICS.items():
        value, bounds = ratio_of_sums(sums, function, resamples=resamples, seed=seed)
        figures.append(FieldFigure(field, metric, value, bounds, stated))
    return figures


def _record(row: Mapping[Hashable, Any]) -> FindingRecord:
    region, paris = row["region"], row["paris"]
    return FindingRecord(
        start=int(row["start"]),
        end=int(row["end"]),
        kind=str(row["kind"]),
        regions=() if pd.isna(region) else (str(region),),
        size_cm=None if pd.isna(row["size_cm"]) else float(row["size_cm"]),
        paris=None if pd.isna(paris) else str(paris),
        descriptors=frozenset(row["descriptors"]),
        negated=bool(row["negated"]),
        count=None if pd.isna(row["count"]) else int(row["count"]),
    )
