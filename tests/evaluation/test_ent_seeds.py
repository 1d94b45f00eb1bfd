"""Means over training seeds and their paired differences."""

import numpy as np
import pytest

from endoalign.evaluation.bootstrap import Estimate
from endoalign.evaluation.ent_seeds import mean_estimate, over_seeds

TRACK = ("ent_classification", "test")


def training(value, seed):
    samples = value + 0.01 * np.random.default_rng(seed).standard_normal(200)
    return {TRACK: {name: Estimate(value, samples) for name in ("accuracy", "macro_f1")}}


FIGURES = {
    ("official", "A", 1): training(0.6, 1),
    ("official", "A", 2): training(0.8, 2),
    ("official", "B", 1): training(0.5, 1),
    ("disjoint", "A", 1): training(0.4, 1),
}


def rows(**columns):
    found = over_seeds(FIGURES, ["A", "B", "C"], baseline="B")
    return [row for row in found if all(row[key] == value for key, value in columns.items())]


def test_the_mean_is_taken_within_each_resample():
    one, two = (FIGURES["official", "A", seed][TRACK]["accuracy"] for seed in (1, 2))
    mean = mean_estimate([one, two])
    assert mean.value == pytest.approx(0.7)
    np.testing.assert_allclose(mean.samples, (one.samples + two.samples) / 2)


def test_rows_of_means_tell_seeds_and_spread():
    (row,) = rows(system="A", protocol="test", metric="accuracy")
    assert row["value"] == pytest.approx(0.7)
    assert row["note"] == "mean of 2 training seed(s); 0.600 to 0.800"
    (alone,) = rows(system="A", protocol="test/disjoint", metric="accuracy")
    assert alone["note"] == "mean of 1 training seed(s)"


def test_differences_take_the_seeds_that_both_have():
    (row,) = rows(system="A − B", metric="delta:accuracy")
    assert row["value"] == pytest.approx(0.1)
    assert row["interval"] == pytest.approx((0.1, 0.1))  # the same resamples, moved by 0.1
    assert "mean of 1" in row["note"] and "p=" in row["note"]
    assert not rows(system="B − B") and not rows(system="C")
