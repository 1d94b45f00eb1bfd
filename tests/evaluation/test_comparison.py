import numpy as np
import pytest

from endoalign.evaluation.bootstrap import Estimate, weighted_means, whole_and_resamples
from endoalign.evaluation.comparison import (
    derived,
    difference,
    difference_rows,
    holm,
    recovery_efficiency,
    two_sided_p,
)


def estimate(values, resamples=400, seed=0):
    """Mean over cases of one value each."""
    values = np.asarray(values, dtype=float)
    weights = whole_and_resamples(len(values), resamples=resamples, seed=seed)
    return Estimate.from_whole(
        weighted_means(values[:, None], np.arange(len(values)), weights)[:, 0]
    )


def naive_p(samples):
    below = (sum(s <= 0 for s in samples) + 1) / (len(samples) + 1)
    above = (sum(s >= 0 for s in samples) + 1) / (len(samples) + 1)
    return min(1.0, 2 * min(below, above))


def naive_holm(p_values):
    """Reject step by step: the adjusted p is the smallest level at which each is rejected."""
    adjusted = []
    for own in range(len(p_values)):
        order = sorted(range(len(p_values)), key=lambda i: p_values[i])
        level = 0.0
        for step, i in enumerate(order):
            level = max(level, min(1.0, p_values[i] * (len(p_values) - step)))
            if i == own:
                break
        adjusted.append(level)
    return adjusted


@pytest.mark.parametrize("shift", [-0.5, 0.0, 0.2, 3.0])
def test_p_equals_the_count_of_both_sides(shift):
    samples = np.random.default_rng(1).normal(shift, 1, 99).round(1)
    assert two_sided_p(samples) == pytest.approx(naive_p(samples), abs=1e-15)


def test_p_at_its_ends():
    assert two_sided_p(np.ones(1999)) == 2 / 2000
    assert two_sided_p(np.zeros(10)) == 1.0
    assert two_sided_p(np.array([np.nan, 1.0])) == 1.0
    assert np.isnan(two_sided_p(np.array([np.nan])))


def test_difference_is_paired():
    rng = np.random.default_rng(0)
    base = rng.normal(size=60)
    first, second = estimate(base + 0.1), estimate(base)
    delta = difference(first, second)
    # Paired, the common part cancels in every resample; each alone spreads far more.
    assert delta.estimate.value == pytest.approx(0.1)
    np.testing.assert_allclose(delta.estimate.samples, 0.1)
    assert delta.p == 2 / 401
    back = difference(second, first)
    assert back.p == delta.p and back.estimate.value == pytest.approx(-0.1)


def test_a_system_does_not_differ_from_itself():
    one = estimate(np.random.default_rng(0).normal(size=20))
    delta = difference(one, one)
    assert delta.p == 1.0 and delta.estimate.interval == (0.0, 0.0)


def test_p_is_about_uniform_where_nothing_differs():
    rng = np.random.default_rng(3)
    p_values = [
        difference(estimate(rng.normal(size=50)), estimate(rng.normal(size=50))).p
        for _ in range(200)
    ]
    assert 0.01 < np.mean(np.array(p_values) < 0.05) < 0.12
    assert 0.4 < np.mean(p_values) < 0.6


@pytest.mark.parametrize(
    "p_values",
    [[], [0.03], [0.01, 0.04, 0.03], [0.5, 0.5, 0.001], [0.02, 0.02, 0.02], [1.0, 0.9]],
)
def test_holm_equals_the_stepwise_procedure(p_values):
    assert holm(p_values) == pytest.approx(naive_holm(p_values), abs=1e-15)


def test_holm_on_the_textbook_example():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_leaves_undefined_values_out_of_the_family():
    adjusted = holm([0.02, float("nan"), 0.01])
    assert adjusted[0] == 0.02 and adjusted[2] == 0.02 and np.isnan(adjusted[1])


@pytest.mark.parametrize("wrong", [-0.1, 1.5])
def test_holm_refuses_what_is_no_p_value(wrong):
    with pytest.raises(ValueError, match="0 to 1"):
        holm([0.5, wrong])


def test_recovery_efficiency_follows_each_resample():
    rng = np.random.default_rng(2)
    naive = estimate(rng.normal(1, 0.1, 30))
    full = estimate(rng.normal(2.7, 0.1, 30))
    oracle = estimate(rng.normal(3, 0.1, 30))
    found = recovery_efficiency(full, naive, oracle)
    assert found.value == (full.value - naive.value) / (oracle.value - naive.value)
    loop = [
        (f - n) / (o - n)
        for f, n, o in zip(full.samples, naive.samples, oracle.samples, strict=True)
    ]
    np.testing.assert_allclose(found.samples, loop, rtol=0, atol=1e-12)
    low, high = found.interval
    assert low < 0.85 < high


def test_nothing_to_recover_is_undefined():
    one = estimate([1.0, 2.0])
    found = recovery_efficiency(one, one, one)
    assert np.isnan(found.value) and np.isnan(found.interval).all()


def test_estimates_must_share_resamples():
    with pytest.raises(ValueError, match=r"\[10, 20\]"):
        derived(np.subtract, estimate([1.0], resamples=10), estimate([1.0], resamples=20))


def test_rows_adjust_over_the_pairs_of_one_metric():
    rng = np.random.default_rng(5)
    key = ("global/mean", "recall@1")
    means = {"A": 1.0, "B": 0.4, "C": 0.0}
    figures = {name: {key: estimate(rng.normal(m, 1, 40))} for name, m in means.items()}
    pairs = [("A", "B"), ("A", "C"), ("B", "C")]
    rows = list(difference_rows(figures, pairs, [key], task="retrieval", n={"global/mean": 40}))
    assert [row["system"] for row in rows] == ["A \u2212 B", "A \u2212 C", "B \u2212 C"]
    deltas = [difference(figures[a][key], figures[b][key]) for a, b in pairs]
    for row, delta, p_holm in zip(rows, deltas, holm([d.p for d in deltas]), strict=True):
        assert row["value"] == delta.estimate.value and row["n"] == 40
        assert row["metric"] == "delta:recall@1" and row["interval"] == delta.estimate.interval
        assert row["note"] == f"p={delta.p:.4g}; p_holm={p_holm:.4g}"


def test_an_unknown_system_is_named():
    with pytest.raises(KeyError, match=r"'Z'.*\['A'\]"):
        list(difference_rows({"A": {}}, [("A", "Z")], [], task="retrieval", n={}))
