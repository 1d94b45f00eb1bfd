"""Precision, recall and F1 of findings read out of reports, field by field.

Predicted and true findings of one report are matched one to one, by kind and by overlap of their
spans: the matching has the most pairs possible and, among those, the most shared characters. "The
rectum was normal" and "no abnormality was seen in the rectum" make the same claim: ``normal`` and a
denied ``other`` may be partners. Then every field is counted over the findings of the report:

- ``finding``: a matched pair is a true positive, an unmatched prediction a false positive, an
  unmatched truth a false negative.
- ``site``, ``size``, ``paris``: values of matched and unmatched findings alike. A pair with equal
  values is a true positive; a value that is wrong is a false positive and a false negative; a value
  on one side only, in a pair or in a finding without a partner, counts against that side.
- ``descriptors``: the same over the single members of the sets.
- ``negation``: over denied findings only: both sides deny, or one of them does.
- ``polyp_positive``: one value a report: whether any lesion is stated to be present.

Counts add up over reports (``+``), so the figures of a corpus are those of the sums (micro
averages).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linear_sum_assignment

FIELDS = ("finding", "site", "size", "paris", "descriptors", "negation", "polyp_positive")
_SIZE_TOLERANCE_CM = 1e-6


@dataclass(frozen=True)
class FindingRecord:
    """One finding, predicted or true, as plain values.

    ``regions`` of a truth are all acceptable ones (one of them is right), of a prediction the one
    it gives first; empty means that no region is stated.
    """

    start: int
    end: int
    kind: str
    regions: tuple[str, ...] = ()
    size_cm: float | None = None
    paris: str | None = None
    descriptors: frozenset[str] = field(default=frozenset())
    negated: bool = False
    count: int | None = None


@dataclass(frozen=True)
class Counts:
    """True positives, false positives and false negatives; ``a + b`` adds them up."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        """``tp / (tp + fp)``; NaN where nothing was predicted."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else float("nan")

    @property
    def recall(self) -> float:
        """``tp / (tp + fn)``; NaN where nothing was there."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else float("nan")

    @property
    def f1(self) -> float:
        """``2 tp / (2 tp + fp + fn)``; NaN where nothing was predicted and nothing was there."""
        total = 2 * self.tp + self.fp + self.fn
        return 2 * self.tp / total if total else float("nan")


def overlap(a: FindingRecord, b: FindingRecord) -> int:
    """Number of characters that two findings share."""
    return max(0, min(a.end, b.end) - max(a.start, b.start))


def _claim(finding: FindingRecord) -> str:
    is_denied_other = finding.kind == "other" and finding.negated
    return "normal" if is_denied_other else finding.kind


def match_findings(
    predicted: Sequence[FindingRecord], true: Sequence[FindingRecord]
) -> list[tuple[int, int]]:
    """Match findings that make the same kind of claim and overlap, one to one.

    Returns pairs ``(index in predicted, index in true)``, sorted; as many as possible and, among
    matchings of that many pairs, those that share the most characters.
    """
    if not predicted or not true:
        return []
    shared = np.array(
        [[overlap(p, t) if _claim(p) == _claim(t) else 0 for t in true] for p in predicted],
        dtype=float,
    )
    # One more pair outweighs any number of shared characters.
    gain = np.where(shared > 0, shared + shared.sum() + 1, 0.0)
    rows, columns = linear_sum_assignment(gain, maximize=True)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if shared[i, j] > 0]


def count_report(
    predicted: Sequence[FindingRecord], true: Sequence[FindingRecord]
) -> dict[str, Counts]:
    """Count every field of `FIELDS` for one report."""
    pairs = match_findings(predicted, true)
    matched_p, matched_t = {i for i, _ in pairs}, {j for _, j in pairs}
    lone_p = [p for i, p in enumerate(predicted) if i not in matched_p]
    lone_t = [t for j, t in enumerate(true) if j not in matched_t]
    sides: list[tuple[FindingRecord | None, FindingRecord | None]] = [
        *((predicted[i], true[j]) for i, j in pairs),
        *((p, None) for p in lone_p),
        *((None, t) for t in lone_t),
    ]
    return {
        "finding": Counts(len(pairs), len(lone_p), len(lone_t)),
        "site": _total(sides, _site),
        "size": _total(sides, _size),
        "paris": _total(sides, _paris),
        "descriptors": _total(sides, _descriptors),
        "negation": _total(sides, _negation),
        "polyp_positive": _one(_positive(predicted), _positive(true), True),
    }


def add_counts(reports: Iterable[Mapping[str, Counts]]) -> dict[str, Counts]:
    """Add up the counts of several reports, field by field."""
    total = dict.fromkeys(FIELDS, Counts())
    for counts in reports:
        total = {name: total[name] + counts[name] for name in FIELDS}
    return total


Side = FindingRecord | None


def _total(sides: Iterable[tuple[Side, Side]], count: Callable[[Side, Side], Counts]) -> Counts:
    total = Counts()
    for predicted, true in sides:
        total += count(predicted, true)
    return total


def _one(predicted: bool, true: bool, agree: bool) -> Counts:
    """Count one value that either side may hold, and whether both hold the same."""
    if predicted and true and agree:
        return Counts(tp=1)
    return Counts(fp=int(predicted), fn=int(true))


def _site(predicted: Side, true: Side) -> Counts:
    given = predicted.regions if predicted else ()
    right = true.regions if true else ()
    return _one(bool(given), bool(right), bool(given) and given[0] in right)


def _size(predicted: Side, true: Side) -> Counts:
    given = predicted.size_cm if predicted else None
    right = true.size_cm if true else None
    agree = given is not None and right is not None and abs(given - right) <= _SIZE_TOLERANCE_CM
    return _one(given is not None, right is not None, agree)


def _paris(predicted: Side, true: Side) -> Counts:
    given = predicted.paris if predicted else None
    right = true.paris if true else None
    return _one(given is not None, right is not None, given == right)


def _descriptors(predicted: Side, true: Side) -> Counts:
    given = predicted.descriptors if predicted else frozenset[str]()
    right = true.descriptors if true else frozenset[str]()
    return Counts(len(given & right), len(given - right), len(right - given))


def _negation(predicted: Side, true: Side) -> Counts:
    return _one(bool(predicted and predicted.negated), bool(true and true.negated), True)


def _positive(findings: Iterable[FindingRecord]) -> bool:
    return any(f.kind == "lesion" and not f.negated for f in findings)
