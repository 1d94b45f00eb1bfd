"""Comparisons over shared resamples: paired differences, Holm's correction, derived figures.

EndoCLIP, section 4.5.5: two-sided paired bootstrap test over shared resamples of cases.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from endoalign.evaluation.bootstrap import Estimate, FloatArray, ratio

Row = dict[str, Any]


@dataclass(frozen=True)
class Difference:
    """First minus second: value and its resamples, and the two-sided p value of no difference."""

    estimate: Estimate
    p: float


def derived(function: Callable[..., FloatArray], *estimates: Estimate) -> Estimate:
    """A figure computed from others, over all cases and resample by resample.

    Args:
        function: takes as many (m,) arrays as there are estimates, gives (m,).
        estimates: figures over the same cases with the same seed, so that they share resamples.

    Raises:
        ValueError: the estimates have different numbers of resamples.
    """
    lengths = [len(e.samples) for e in estimates]
    if len(set(lengths)) > 1:
        raise ValueError(f"estimates must share their resamples, but hold {lengths}")
    columns = [np.concatenate([[e.value], e.samples]) for e in estimates]
    return Estimate.from_whole(function(*columns))


def difference(first: Estimate, second: Estimate) -> Difference:
    """``first - second`` with interval and p value, paired over shared resamples."""
    estimate = derived(np.subtract, first, second)
    return Difference(estimate, two_sided_p(estimate.samples))


def two_sided_p(samples: FloatArray) -> float:
    """Two-sided bootstrap p value of samples of a difference, (resamples,).

    ``min(1, 2 min(P(d <= 0), P(d >= 0)))`` with one more count on either side, so that no p is
    below ``2 / (resamples + 1)``. Undefined samples (NaN) are left out; NaN where none is left.
    """
    defined = samples[np.isfinite(samples)]
    if defined.size == 0:
        return float("nan")
    sides = 1 + min(int((defined <= 0).sum()), int((defined >= 0).sum()))
    return min(1.0, 2 * sides / (defined.size + 1))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment of the p values of one family (Holm 1979).

    The i-th smallest of m is multiplied by ``m - i + 1``, made monotone and clipped at 1. An
    undefined p (NaN) stays so and counts in no family.

    Raises:
        ValueError: a p value lies outside 0 to 1.
    """
    values = np.asarray(p_values, dtype=np.float64)
    if ((values < 0) | (values > 1)).any():
        raise ValueError(f"p values must lie in 0 to 1, got {list(p_values)}")
    tested = np.flatnonzero(np.isfinite(values))
    order = tested[np.argsort(values[tested], kind="stable")]
    steps = values[order] * np.arange(len(order), 0, -1)
    adjusted = np.full(values.shape, np.nan)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(p) for p in adjusted]


def recovery_efficiency(full: Estimate, naive: Estimate, oracle: Estimate) -> Estimate:
    """``(full - naive) / (oracle - naive)``: the share of what true links win that was recovered.

    NaN where the oracle is not above naive pairing: there is nothing to recover.
    """
    return derived(lambda f, n, o: ratio(f - n, o - n), full, naive, oracle)


def difference_rows(
    figures: Mapping[str, Mapping[tuple[str, str], Estimate]],
    pairs: Sequence[tuple[str, str]],
    keys: Sequence[tuple[str, str]],
    *,
    task: str,
    n: Mapping[str, int],
) -> Iterator[Row]:
    """Rows of paired differences, for `endoalign.results.Results.add`.

    The family of Holm's correction is all ``pairs`` of one protocol and metric.

    Args:
        figures: system -> (protocol, metric) -> estimate; all share their resamples.
        pairs: systems (A, B), each compared as A - B.
        keys: the (protocol, metric) to compare.
        n: protocol -> number of lesions or frames behind its figures.

    Raises:
        KeyError: a pair names an unknown system; the error names the known ones.
    """
    if unknown := sorted({name for pair in pairs for name in pair} - set(figures)):
        raise KeyError(f"cannot compare unknown system {unknown[0]!r}; known are {list(figures)}")
    for protocol, metric in keys:
        key = protocol, metric
        found = [difference(figures[a][key], figures[b][key]) for a, b in pairs]
        adjusted = holm([d.p for d in found])
        for (first, second), delta, p_holm in zip(pairs, found, adjusted, strict=True):
            yield {
                "system": f"{first} − {second}",
                "task": task,
                "protocol": protocol,
                "metric": f"delta:{metric}",
                "value": delta.estimate.value,
                "interval": delta.estimate.interval,
                "n": n[protocol],
                "note": f"p={delta.p:.4g}; p_holm={p_holm:.4g}",
            }
