"""Curation measured on real notes whose findings a person labelled by hand."""

from collections.abc import Iterable, Mapping

import numpy as np

from endoalign.corpus.labels import LabelledFinding, LabelledNote
from endoalign.evaluation.bootstrap import ratio, ratio_of_sums
from endoalign.evaluation.curation import FieldFigure, field_figures
from endoalign.evaluation.extraction import FindingRecord, match_findings


def measure_notes(
    predicted: Mapping[str, list[FindingRecord]],
    notes: Iterable[LabelledNote],
    *,
    resamples: int,
    seed: int,
) -> list[FieldFigure]:
    """Precision, recall and F1 of findings, and accuracy of the site of matched ones.

    Intervals are over resampled notes. A finding that only repeats another of its note counts
    neither as missed nor as false. The site is right where the region read is among the acceptable
    ones; it is measured on matched findings whose labels name a region.

    Args:
        predicted: findings a note, by the note's name.
        notes: labelled notes; those that are no examination count with their findings (none).
    """
    sums = np.array([_sums(predicted.get(note.name, []), note) for note in notes], dtype=float)
    figures = field_figures("finding", sums[:, :3], resamples=resamples, seed=seed)
    value, bounds = ratio_of_sums(
        sums[:, 3:], lambda s: ratio(s[:, 0], s[:, 1]), resamples=resamples, seed=seed
    )
    return [*figures, FieldFigure("site", "accuracy", value, bounds, int(sums[:, 4].sum()))]


def _sums(predicted: list[FindingRecord], note: LabelledNote) -> tuple[int, int, int, int, int]:
    """True and false positives, false negatives, right sites, and sites that could be right."""
    true = [_record(finding) for finding in note.findings]
    pairs = match_findings(predicted, true)
    counted = [(p, t) for p, t in pairs if note.findings[t].repeats is None]
    once = sum(finding.repeats is None for finding in note.findings)
    stated = [(p, t) for p, t in counted if true[t].regions]
    right = sum(_is_right(predicted[p], true[t]) for p, t in stated)
    return len(counted), len(predicted) - len(pairs), once - len(counted), right, len(stated)


def _is_right(predicted: FindingRecord, true: FindingRecord) -> bool:
    return bool(predicted.regions) and predicted.regions[0] in true.regions


def _record(finding: LabelledFinding) -> FindingRecord:
    return FindingRecord(
        start=finding.start,
        end=finding.end,
        kind=finding.kind,
        regions=tuple(finding.regions),
        size_cm=finding.size_cm,
        paris=finding.paris,
        descriptors=frozenset(finding.descriptors),
        negated=finding.negated,
        count=finding.count,
    )
