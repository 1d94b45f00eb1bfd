import numpy as np
import pytest

from endoalign.evaluation import bootstrap
from endoalign.evaluation.bootstrap import (
    Estimate,
    resample_weights,
    weighted_means,
    weighted_median,
    whole_and_resamples,
)


def drawn_items(values, case, weights):
    """Items of one resample, each as often as its case was drawn."""
    return np.concatenate([np.repeat(values[case == c], w, axis=0) for c, w in enumerate(weights)])


@pytest.mark.parametrize("n", [1, 2, 5, 64])
@pytest.mark.parametrize("distinct", [1, 3, 1000])
def test_median_equals_numpy_on_the_drawn_items(n, distinct):
    rng = np.random.default_rng(n * distinct)
    case = np.concatenate([np.arange(min(n, 9)), rng.integers(0, min(n, 9), max(0, n - 9))])
    values = rng.integers(0, distinct, n) / 2
    weights = resample_weights(case.max() + 1, resamples=60, seed=1)
    naive = [np.median(drawn_items(values, case, row)) for row in weights]
    np.testing.assert_array_equal(weighted_median(values, case, weights), naive)


def test_median_is_the_same_in_small_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    values, case = rng.normal(size=40), rng.integers(0, 7, 40)
    weights = resample_weights(7, resamples=50, seed=2)
    whole = weighted_median(values, case, weights)
    monkeypatch.setattr(bootstrap, "BLOCK", 3 * len(values))
    np.testing.assert_array_equal(weighted_median(values, case, weights), whole)


def test_means_equal_numpy_on_the_drawn_items():
    rng = np.random.default_rng(4)
    values, case = rng.normal(size=(30, 3)), np.arange(30) % 8
    weights = resample_weights(8, resamples=50, seed=2)
    naive = [drawn_items(values, case, row).mean(axis=0) for row in weights]
    np.testing.assert_allclose(weighted_means(values, case, weights), naive, rtol=0, atol=1e-12)


def test_a_resample_without_items_is_undefined():
    weights = np.array([[1, 0], [0, 2]])
    case, values = np.array([0, 0]), np.array([1.0, 4.0])
    np.testing.assert_array_equal(weighted_median(values, case, weights), [2.5, np.nan])
    np.testing.assert_array_equal(weighted_means(values[:, None], case, weights), [[2.5], [np.nan]])
    nothing = weighted_median(np.zeros(0), np.zeros(0, dtype=int), weights)
    assert np.isnan(nothing).all()


def test_the_whole_comes_before_the_same_resamples():
    weights = whole_and_resamples(6, resamples=10, seed=3)
    assert (weights[0] == 1).all()
    np.testing.assert_array_equal(weights[1:], resample_weights(6, resamples=10, seed=3))


def test_an_estimate_keeps_its_value_out_of_its_interval():
    estimate = Estimate.from_whole(np.array([100.0, *np.linspace(0, 1, 101)]))
    assert estimate.value == 100.0
    assert estimate.interval == pytest.approx((0.025, 0.975))
