"""Cluster bootstrap: whole cases are resampled, so that what belongs together stays together.

EndoCLIP, section 4.5.5: 2,000 resamples of cases, 95 % percentile intervals. A resample is a
vector of weights (how often each case was drawn), so that a metric made of sums over cases is
computed for all resamples by one matrix product.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


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
