import numpy as np
import pytest

from endoalign.evaluation.bootstrap import interval, ratio_of_sums, resample_weights


def precision(sums):
    return sums[:, 0] / (sums[:, 0] + sums[:, 1])


def test_equals_the_naive_loop_over_drawn_cases():
    rng = np.random.default_rng(0)
    sums = rng.integers(1, 9, size=(17, 2)).astype(float)
    weights = resample_weights(17, resamples=50, seed=3)
    draws = np.random.default_rng(3).integers(0, 17, size=(50, 17))
    naive = []
    for row in draws:
        true = false = 0.0
        for case in row:
            true += sums[case, 0]
            false += sums[case, 1]
        naive.append(true / (true + false))
    np.testing.assert_allclose(precision(weights @ sums), naive, rtol=0, atol=1e-12)


def test_rows_sum_to_the_number_of_cases():
    assert (resample_weights(9, resamples=40, seed=1).sum(axis=1) == 9).all()


def test_one_case_gives_an_interval_of_no_width():
    value, (low, high) = ratio_of_sums(np.array([[3.0, 1.0]]), precision, resamples=20, seed=0)
    assert value == low == high == 0.75


def test_interval_covers_a_known_mean_about_as_often_as_it_says():
    rng = np.random.default_rng(7)
    hits = 0
    for trial in range(200):
        sample = np.stack([rng.normal(1.0, 1.0, 80), np.ones(80)], axis=1)
        _, (low, high) = ratio_of_sums(
            sample, lambda s: s[:, 0] / s[:, 1], resamples=300, seed=trial
        )
        hits += low <= 1.0 <= high
    assert 0.89 <= hits / 200 <= 0.99


def test_undefined_resamples_are_left_out():
    assert interval(np.array([np.nan, 1.0, 1.0])) == (1.0, 1.0)
    assert np.isnan(interval(np.array([np.nan]))).all()


@pytest.mark.parametrize(("cases", "resamples"), [(0, 5), (5, 0)])
def test_nothing_to_resample_is_an_error(cases, resamples):
    with pytest.raises(ValueError, match="at least one"):
        resample_weights(cases, resamples=resamples, seed=0)
