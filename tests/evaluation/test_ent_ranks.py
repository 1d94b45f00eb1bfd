"""Ranks of first relevant candidates against a loop over all orders of what is tied."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import softmax

from endoalign.evaluation.ent_ranks import (
    chance_figures,
    first_relevant_ranks,
    image_to_image,
    softmax_similarity,
    text_to_image,
)
from endoalign.evaluation.ranking import mid_ranks


def by_all_orders(scores, relevant):
    """Mean rank of the first relevant one over all orders, sorted by score."""
    ranks = []
    for order in itertools.permutations(range(len(scores))):
        ranked = sorted(order, key=lambda place: -scores[place])  # stable: ties as in the order
        ranks.append(1 + next(k for k, place in enumerate(ranked) if relevant[place]))
    return float(np.mean(ranks))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), min_size=1, max_size=6))
def test_ties_in_random_order(candidates):
    scores, relevant = zip(*candidates, strict=True)
    found = first_relevant_ranks(np.array([scores], float), np.array([relevant]))
    if any(relevant):
        assert found[0] == pytest.approx(by_all_orders(scores, relevant))
    else:
        assert np.isnan(found[0])


def test_one_relevant_candidate_is_the_mid_rank():
    rng = np.random.default_rng(0)
    similarity = rng.integers(0, 4, (20, 20)).astype(float)
    found = first_relevant_ranks(similarity, np.eye(20, dtype=bool))
    np.testing.assert_allclose(found, mid_ranks(similarity, np.zeros(20, dtype=np.int64)))


def test_a_constant_similarity_earns_no_recall():
    found = first_relevant_ranks(np.zeros((3, 9)), np.eye(3, 9, dtype=bool))
    assert found.tolist() == [5.0] * 3


def naive_image_to_image(similarity, classes, groups, exclude):
    ranks = []
    for i in range(len(classes)):
        others = [
            j
            for j in range(len(classes))
            if (j != i if exclude == "self" else groups[j] != groups[i])
        ]
        order = sorted(others, key=lambda j: -similarity[i, j])
        found = [k for k, j in enumerate(order, start=1) if classes[j] == classes[i]]
        ranks.append(found[0] if found else np.nan)
    return ranks


@pytest.mark.parametrize("exclude", ["self", "group"])
def test_image_to_image(exclude):
    rng = np.random.default_rng(1)
    similarity = rng.random((30, 30))
    classes = [f"c{k}" for k in rng.integers(0, 6, 30)] + []
    groups = [f"g{k}" for k in rng.integers(0, 8, 30)]
    classes[0] = "the only one"
    found = image_to_image(similarity, classes, groups, exclude=exclude)
    np.testing.assert_array_equal(found, naive_image_to_image(similarity, classes, groups, exclude))
    assert np.isnan(found[0])


def test_a_query_is_no_answer_to_itself():
    similarity = np.eye(4)
    similarity[0, 1] = 0.5
    found = image_to_image(similarity, ["a", "b", "a", "b"], list("wxyz"))
    assert found[0] == 2.5  # picture 1 first, then 2 and 3 in random order


def test_nan_on_the_diagonal_is_not_looked_at():
    similarity = np.zeros((3, 3))
    np.fill_diagonal(similarity, np.nan)
    assert np.isfinite(image_to_image(similarity, ["a"] * 3, list("xyz"))).all()
    similarity[0, 1] = np.nan
    with pytest.raises(ValueError, match="query 0 and candidate 1 is NaN"):
        image_to_image(similarity, ["a"] * 3, list("xyz"))


def test_text_to_image():
    similarity = np.array([[0.9, 0.1, 0.5], [0.2, 0.8, 0.3]])
    assert text_to_image(similarity, ["a", "a"], ["a", "b", "a"]).tolist() == [1.0, 2.0]
    assert np.isnan(text_to_image(similarity, ["c", "b"], ["a", "b", "a"])).tolist() == [
        True,
        False,
    ]


def test_softmax_of_section_3_7():
    rng = np.random.default_rng(0)
    texts, images = rng.normal(size=(3, 5)), rng.normal(size=(4, 5))
    texts /= np.linalg.norm(texts, axis=1, keepdims=True)
    images /= np.linalg.norm(images, axis=1, keepdims=True)
    found = softmax_similarity(texts, images)
    np.testing.assert_allclose(found, softmax(texts @ images.T, axis=1))
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    assert (found.argsort(axis=1) == (texts @ images.T).argsort(axis=1)).all()
    sharp = softmax_similarity(texts, images, scale=1000.0)
    assert np.isfinite(sharp).all()
    with pytest.raises(ValueError, match=r"\(q, d\), \(n, d\)"):
        softmax_similarity(texts, images[:, :4])


@pytest.mark.parametrize("counts", [[(5, 1)], [(4, 2), (6, 6), (3, 1)], [(1, 1)], [(8, 3)]])
def test_chance_is_the_mean_over_all_orders(counts):
    width = max(c for c, _ in counts)
    relevant = np.array([[k < r for k in range(width)] for _, r in counts])
    among = np.array([[k < c for k in range(width)] for c, _ in counts])
    found = chance_figures(relevant, among, ks=(1, 2, 50))
    recall, mrr = {1: [], 2: [], 50: []}, []
    for c, r in counts:
        firsts = [min(places) + 1 for places in itertools.combinations(range(c), r)]
        mrr.append(np.mean([1 / first for first in firsts]))
        for k, values in recall.items():
            values.append(np.mean([first <= k for first in firsts]))
    assert found["mrr"] == pytest.approx(np.mean(mrr))
    for k, values in recall.items():
        assert found[f"recall@{k}"] == pytest.approx(np.mean(values))


def test_chance_agrees_with_random_similarities():
    rng = np.random.default_rng(0)
    classes = np.array([0, 0, 0, 1, 1, 2])
    relevant, others = classes[:, None] == classes[None, :], ~np.eye(6, dtype=bool)
    drawn = [first_relevant_ranks(rng.random((6, 6)), relevant, others) for _ in range(3000)]
    ranks = np.array(drawn)[:, :5]  # the only picture of its class has no answer
    expected = chance_figures(relevant, others)
    assert (ranks == 1).mean() == pytest.approx(expected["recall@1"], abs=0.015)
    assert (1 / ranks).mean() == pytest.approx(expected["mrr"], abs=0.01)


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match=r"must be equal \(q, n\)"):
        first_relevant_ranks(np.zeros((2, 3)), np.zeros((3, 2), dtype=bool))
    with pytest.raises(ValueError, match="no query"):
        chance_figures(np.zeros((2, 3), dtype=bool))
    assert np.isnan(first_relevant_ranks(np.zeros((2, 0)), np.zeros((2, 0), dtype=bool))).all()
