"""Cluster bootstrap: whole cases are resampled, so that what belongs together stays together.

EndoCLIP, section 4.5.5: 2,000 resamples of cases, 95 % percentile intervals. A resample is a
vector of weights (how often each case was drawn), so that a metric made of sums over cases is
computed for all resamples by one matrix product. Two systems measured with the same seed on the
same cases share their resamples, so that their samples may be compared one by one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

BLOCK: Final = 2**20  # values held at once where every item is repeated for every resample


@dataclass(frozen=True)
class Estimate:
    """A figure over all cases, and the same figure in each resample of them, (resamples,)."""

    value: float
    samples: FloatArray

    @classmethod
    def from_whole(cls, samples: FloatArray) -> "Estimate":
        """From samples whose first entry is the figure over all cases (`whole_and_resamples`)."""
        return cls(float(samples[0]), samples[1:])

    @property
    def interval(self) -> tuple[float, float]:
        """95 % percentile interval."""
        return interval(self.samples)


def resample_weights(n_cases: int, *, resamples: int = 2000, seed: int) -> NDArray[np.int64]:
    """How often each case is drawn in each resample: (resamples, n_cases), rows sum to n_cases.

    Raises:
        ValueError: no cases, or fewer than one resample.
    """
    if n_cases < 1 or resamples < 1:
        raise ValueError(f"need at least one case and resample, got {n_cases} and {resamples}")
    draws = np.random.default_rng(seed).integers(0, n_cases, size=(resamples, n_cases))
    rows = np.arange(resamples)[:, None] * n_cases
    flat = np.bincount((draws + rows).ravel(), minlength=resamples * n_cases)
    return flat.reshape(resamples, n_cases)


def whole_and_resamples(n_cases: int, *, resamples: int = 2000, seed: int) -> IntArray:
    """Every case once, then `resample_weights`: (1 + resamples, n_cases)."""
    drawn = resample_weights(n_cases, resamples=resamples, seed=seed)
    return np.concatenate([np.ones((1, n_cases), dtype=np.int64), drawn])


def interval(samples: FloatArray, *, level: float = 0.95) -> tuple[float, float]:
    """Percentile interval of bootstrap samples, (resamples,); undefined samples (NaN) are left out.

    Returns NaN, NaN where every sample is undefined.
    """
    defined = samples[np.isfinite(samples)]
    if defined.size == 0:
        return float("nan"), float("nan")
    tail = (1 - level) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return float(low), float(high)


def ratio_of_sums(
    sums: FloatArray,
    metric: Callable[[FloatArray], FloatArray],
    *,
    resamples: int = 2000,
    seed: int,
) -> tuple[float, tuple[float, float]]:
    """A metric of sums over cases, with its 95 % interval.

    Args:
        sums: (n_cases, k), what each case adds to each of k sums.
        metric: (m, k) sums -> (m,) values, such as precision from true and false positives.

    Returns:
        The metric over all cases, and its interval over resamples of the cases.
    """
    weights = resample_weights(len(sums), resamples=resamples, seed=seed)
    value = float(metric(sums.sum(axis=0, keepdims=True))[0])
    return value, interval(metric(weights @ sums))


def ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """``part / whole``, element by element; NaN where ``whole`` is 0."""
    undefined = np.full(part.shape, np.nan)
    np.divide(part, whole, out=undefined, where=whole > 0)
    return undefined


def weighted_means(values: FloatArray, case: IntArray, weights: IntArray) -> FloatArray:
    """Means over items in each resample, an item as often as its case was drawn.

    Args:
        values: (n, k), k values of each item.
        case: (n,), index of each item's case.
        weights: (m, n_cases), see `resample_weights`.

    Returns:
        (m, k); NaN where a resample holds no item.
    """
    sums = np.zeros((weights.shape[1], values.shape[1] + 1))
    np.add.at(sums, case, np.column_stack([values, np.ones(len(values))]))
    totals = weights.astype(np.float64) @ sums
    return ratio(totals[:, :-1], np.broadcast_to(totals[:, -1:], totals[:, :-1].shape))


def weighted_median(values: FloatArray, case: IntArray, weights: IntArray) -> FloatArray:
    """Median over items in each resample, an item as often as its case was drawn.

    The mean of the two middle items where their number is even, as `numpy.median` has it.

    Args:
        values: (n,), one value of each item.
        case: (n,), index of each item's case.
        weights: (m, n_cases), see `resample_weights`.

    Returns:
        (m,); NaN where a resample holds no item.
    """
    order = np.argsort(values, kind="stable")
    values, case = values[order], case[order]
    medians = np.full(len(weights), np.nan)
    if len(values) == 0:
        return medians
    for start in range(0, len(weights), rows := max(1, BLOCK // len(values))):
        # Resamples side by side: gathering and adding up then run along contiguous memory.
        drawn = np.ascontiguousarray(weights[start : start + rows].T, dtype=np.int32)
        upto = drawn[case]
        for above, below in pairwise(upto):  # np.cumsum along the first axis is four times slower
            np.add(above, below, out=below)
        total = upto[-1]
        lower, upper = _first_above(upto, (total - 1) // 2), _first_above(upto, total // 2)
        mean = (values[lower] + values[upper]) / 2
        medians[start : start + rows] = np.where(total > 0, mean, np.nan)
    return medians


def _first_above(upto: NDArray[np.int32], bound: NDArray[np.int32]) -> IntArray:
    """Bisect every column of ascending (n, m) at once: first row above ``bound``, (m,).

    The last row where none is above it.
    """
    columns = np.arange(upto.shape[1])
    first = np.zeros_like(columns)
    for bit in reversed(range(len(upto).bit_length())):
        row = np.minimum(first + (1 << bit), len(upto)) - 1
        first += (upto[row, columns] <= bound).astype(np.int64) << bit
    return np.minimum(first, len(upto) - 1)
