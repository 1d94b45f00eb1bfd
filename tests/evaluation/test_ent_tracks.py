"""Figures of the tracks against scikit-learn and against loops over resamples."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix, precision_recall_fscore_support

from endoalign.evaluation import ent_tracks
from endoalign.evaluation.bootstrap import resample_weights
from endoalign.evaluation.ent_tracks import classification_figures, retrieval_figures

NAMES = ["accuracy", "macro_precision", "macro_recall", "macro_f1"]


def theirs(labels, predicted):
    averaged = precision_recall_fscore_support(labels, predicted, average="macro", zero_division=0)
    return dict(zip(NAMES, [accuracy_score(labels, predicted), *averaged[:3]], strict=True))


def predictions(n=60, classes=7, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, n)
    predicted = np.where(rng.random(n) < 0.6, labels, rng.integers(0, classes, n))
    return labels, predicted, [f"g{k}" for k in rng.integers(0, n // 3, n)]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=20))
def test_equal_to_scikit_learn(pairs):
    labels, predicted = np.array(pairs).T
    groups = [str(k) for k in range(len(pairs))]
    found = classification_figures(labels, predicted, groups, 5, resamples=1, seed=0)
    for name, expected in theirs(labels, predicted).items():
        assert found[name].value == pytest.approx(expected), name
    matrix = ent_tracks.confusion_matrix(labels, predicted, 5)
    assert (matrix == confusion_matrix(labels, predicted, labels=range(5))).all()


def test_resamples_are_those_of_whole_groups():
    labels, predicted, groups = predictions()
    found = classification_figures(labels, predicted, groups, 7, resamples=25, seed=3)
    names = list(dict.fromkeys(groups))
    weights = resample_weights(len(names), resamples=25, seed=3)
    for k, row in enumerate(weights):
        rows = [
            item
            for name, times in zip(names, row, strict=True)
            for item in [i for i, group in enumerate(groups) if group == name] * int(times)
        ]
        for name, expected in theirs(labels[rows], predicted[rows]).items():
            assert found[name].samples[k] == pytest.approx(expected), (k, name)
    low, high = found["accuracy"].interval
    assert low < found["accuracy"].value < high


def test_all_right_and_all_wrong():
    labels = np.arange(14) % 7
    groups = [str(k) for k in range(14)]
    right = classification_figures(labels, labels, groups, 7, resamples=10, seed=0)
    wrong = classification_figures(labels, (labels + 1) % 7, groups, 7, resamples=10, seed=0)
    for name in NAMES:
        assert right[name].value == 1.0 and right[name].interval == (1.0, 1.0)
        assert wrong[name].value == 0.0


def test_one_picture():
    found = classification_figures(np.array([2]), np.array([2]), ["g"], 7, resamples=5, seed=0)
    assert [found[name].value for name in NAMES] == [1.0] * 4


@pytest.mark.parametrize(
    ("labels", "predicted", "groups", "message"),
    [
        ([0, 1], [0], ["a", "b"], "must be equal"),
        ([], [], [], "must be equal"),
        ([0, 7], [0, 1], ["a", "b"], "labels hold 0 to 7, not 0 to 6"),
        ([0, 1], [0, -1], ["a", "b"], "predicted hold -1 to 0"),
        ([0, 1], [0, 1], ["a"], "groups"),
        ([0, 1], [0, 1], ["a", None], "groups"),
    ],
)
def test_what_does_not_fit(labels, predicted, groups, message):
    ids = [np.array(values, dtype=np.int64) for values in (labels, predicted)]
    with pytest.raises(ValueError, match=message):
        classification_figures(*ids, groups, 7, seed=0)


def test_retrieval_by_hand():
    ranks = np.array([1.0, 2.0, 6.0, np.nan, 1.5])
    found = retrieval_figures(ranks, ["a", "b", "b", "c", "d"], resamples=40, seed=1)
    assert found["recall@1"].value == pytest.approx(1 / 4)
    assert found["recall@5"].value == pytest.approx(3 / 4)
    assert found["mrr"].value == pytest.approx((1 + 1 / 2 + 1 / 6 + 1 / 1.5) / 4)
    weights = resample_weights(4, resamples=40, seed=1)  # groups a, b, c, d
    for k, (a, b, _, d) in enumerate(weights):
        asked = a + 2 * b + d
        if asked == 0:
            assert np.isnan(found["mrr"].samples[k])
            continue
        expected = (a + b * (1 / 2 + 1 / 6) + d / 1.5) / asked
        assert found["mrr"].samples[k] == pytest.approx(expected)


def test_retrieval_without_a_match_or_with_a_wrong_k():
    with pytest.raises(ValueError, match="none of 2 queries"):
        retrieval_figures(np.array([np.nan, np.nan]), ["a", "b"], seed=0)
    with pytest.raises(ValueError, match="K of at least 1, got 0"):
        retrieval_figures(np.array([1.0]), ["a"], ks=[0], seed=0)
    with pytest.raises(ValueError, match="groups"):
        retrieval_figures(np.array([]), [], seed=0)


def test_k_beyond_the_candidates():
    found = retrieval_figures(np.array([1.0, 2.0]), ["a", "b"], ks=[1, 100], resamples=5, seed=0)
    assert found["recall@100"].value == 1.0
