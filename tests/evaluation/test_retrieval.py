import time
from itertools import product

import numpy as np
import pytest
import torch
from open_clip_train.train import get_clip_metrics
from torchmetrics.retrieval import RetrievalHitRate, RetrievalMRR, RetrievalRecall

from endoalign.evaluation.ranking import lesion_ranks
from endoalign.evaluation.retrieval import chance_figures, recall_per_case, retrieval_figures

PROTOCOLS = ("global", "intra_case", "case_representative")


def make_ranks(cases=12, lesions=30, seed=0, signal=1.5, decimals=8):
    rng = np.random.default_rng(seed)
    case = np.sort(np.concatenate([np.arange(cases), rng.integers(0, cases, lesions - cases)]))
    table = rng.normal(size=(lesions, lesions)) + signal * np.eye(lesions)
    return lesion_ranks(table.round(decimals), [f"case {c}" for c in case])


def naive_metrics(ranks, ks):
    metrics = {f"recall@{k}": np.mean([r <= k for r in ranks]) for k in ks}
    metrics["median_rank"] = np.median(ranks)
    metrics["mean_rank"] = np.mean(ranks)
    metrics["mrr"] = np.mean([1 / r for r in ranks])
    return metrics


def naive_bootstrap(ranks, resamples, seed, ks):
    """Every resample gathers the lesions of its drawn cases and measures them anew."""
    n_cases = len(ranks.case_ids)
    found = {}
    for drawn in np.random.default_rng(seed).integers(0, n_cases, size=(resamples, n_cases)):
        for name, protocol in ranks.protocols.items():
            both = []
            for direction in ("i2t", "t2i"):
                values = getattr(protocol, direction)
                taken = np.concatenate([values[protocol.case == c] for c in drawn])
                both.append(naive_metrics(taken, ks))
            for metric in both[0]:
                i2t, t2i = both[0][metric], both[1][metric]
                for direction, value in (("i2t", i2t), ("t2i", t2i), ("mean", (i2t + t2i) / 2)):
                    found.setdefault((f"{name}/{direction}", metric), []).append(value)
    return found


@pytest.mark.parametrize("decimals", [8, 0])
def test_bootstrap_equals_the_naive_loop(decimals):
    ranks = make_ranks(decimals=decimals)
    ks = (1, 5, 10, 1000)
    figures = retrieval_figures(ranks, resamples=60, seed=5, ks=ks)
    naive = naive_bootstrap(ranks, 60, 5, ks)
    assert figures.keys() == naive.keys()
    for key, values in naive.items():
        np.testing.assert_allclose(figures[key].samples, values, rtol=0, atol=1e-12)


def test_values_are_the_metrics_of_all_lesions():
    ranks = make_ranks()
    figures = retrieval_figures(ranks, resamples=2, seed=0)
    for name in PROTOCOLS:
        i2t = naive_metrics(ranks.protocols[name].i2t, (1, 5, 10))
        t2i = naive_metrics(ranks.protocols[name].t2i, (1, 5, 10))
        for metric in i2t:
            assert figures[f"{name}/i2t", metric].value == pytest.approx(i2t[metric], abs=1e-12)
            mean = (i2t[metric] + t2i[metric]) / 2
            assert figures[f"{name}/mean", metric].value == pytest.approx(mean, abs=1e-12)


def test_far_faster_than_the_naive_loop():
    # benchmarks/bootstrap_speed.py measures the ratio, above 100; half of it leaves room for noise.
    ranks = make_ranks(100, 217)
    fast = []
    for _ in range(5):
        start = time.process_time()
        retrieval_figures(ranks, resamples=2000, seed=0)
        fast.append(time.process_time() - start)
    start = time.process_time()
    naive_bootstrap(ranks, 50, 0, (1, 5, 10))
    assert (time.process_time() - start) * 40 > 50 * min(fast)


def test_agrees_with_open_clip():
    generator = torch.Generator().manual_seed(0)
    images, texts = torch.randn(2, 41, 16, generator=generator, dtype=torch.float64).unbind()
    theirs = get_clip_metrics(images, texts, torch.tensor(1.0))
    ranks = lesion_ranks((images @ texts.T).numpy(), [str(i) for i in range(41)])
    figures = retrieval_figures(ranks, resamples=1, seed=0)
    for ours, name in (("i2t", "image_to_text"), ("t2i", "text_to_image")):
        found = {metric: figures[f"global/{ours}", metric].value for _, metric in figures}
        assert found["mean_rank"] == pytest.approx(theirs[f"{name}_mean_rank"], abs=1e-12)
        # 41 queries: the median is a rank itself, which their rounding down leaves alone.
        assert found["median_rank"] == theirs[f"{name}_median_rank"]
        for k in (1, 5, 10):
            assert found[f"recall@{k}"] == pytest.approx(theirs[f"{name}_R@{k}"], abs=1e-12)


@pytest.mark.parametrize("protocol", ["global", "intra_case"])
def test_agrees_with_torchmetrics(protocol):
    # Positive, since torchmetrics finds nothing relevant at a score of 0 or less.
    table = np.exp(np.random.default_rng(3).normal(size=(20, 20)) + np.eye(20))
    case = np.arange(20) % 6
    figures = retrieval_figures(
        lesion_ranks(table, case.astype(str).tolist()), resamples=1, seed=0, ks=(1, 2, 5)
    )
    for direction, scores in (("i2t", table), ("t2i", table.T)):
        pairs = [
            (query, candidate)
            for query, candidate in product(range(20), repeat=2)
            if protocol == "global" or case[query] == case[candidate]
        ]
        rows, columns = np.array(pairs).T
        given = (
            torch.tensor(scores[rows, columns]),
            torch.tensor(rows == columns),
            torch.tensor(rows),
        )
        found = {metric: figures[f"{protocol}/{direction}", metric].value for _, metric in figures}
        mrr = RetrievalMRR()(given[0], given[1], indexes=given[2])
        assert found["mrr"] == pytest.approx(float(mrr), abs=1e-6)
        for k in (1, 2, 5):
            for metric in (RetrievalHitRate(top_k=k), RetrievalRecall(top_k=k)):
                value = metric(given[0], given[1], indexes=given[2])
                assert found[f"recall@{k}"] == pytest.approx(float(value), abs=1e-6)


@pytest.mark.parametrize("lesions", [12, 13, 21])
def test_chance_is_the_mean_over_random_orders(lesions):
    ranks = make_ranks(cases=8, lesions=lesions)
    chance = chance_figures(ranks, ks=(1, 2, 50))
    for name, protocol in ranks.protocols.items():
        # Every rank of every query, weighted so that queries count alike.
        values = [(k, 1 / c) for c in protocol.candidates for k in range(1, c + 1)]
        rank, weight = np.array(values).T
        for k in (1, 2, 50):
            expected = np.average(rank <= k, weights=weight)
            assert chance[f"{name}/mean", f"recall@{k}"] == pytest.approx(expected, abs=1e-12)
        assert chance[f"{name}/i2t", "mean_rank"] == pytest.approx(
            np.average(rank, weights=weight), abs=1e-12
        )
        assert chance[f"{name}/t2i", "mrr"] == pytest.approx(
            np.average(1 / rank, weights=weight), abs=1e-12
        )
        # 1 / c as whole numbers: the multiples of a common denominator.
        repeats = np.rint(np.lcm.reduce(protocol.candidates) * weight).astype(int)
        expected = np.median(np.repeat(rank, repeats))
        assert chance[f"{name}/mean", "median_rank"] == expected


def test_chance_of_the_papers_benchmark():
    chance = chance_figures(make_ranks(100, 217))
    assert chance["global/mean", "recall@1"] == pytest.approx(1 / 217)
    assert chance["global/mean", "median_rank"] == 109.0
    assert chance["intra_case/mean", "recall@1"] == pytest.approx(100 / 217)


def test_random_features_are_at_chance():
    chance = chance_figures(make_ranks(40, 90))
    drawn = [
        retrieval_figures(make_ranks(40, 90, seed=s, signal=0.0), resamples=1, seed=0)
        for s in range(30)
    ]
    for key in (("global/mean", "recall@10"), ("intra_case/mean", "mrr")):
        mean = np.mean([figures[key].value for figures in drawn])
        assert mean == pytest.approx(chance[key], abs=0.02)


def test_a_constant_similarity_has_the_ranks_of_chance_and_earns_no_recall():
    ranks = lesion_ranks(np.zeros((9, 9)), list("aaabbbccc"))
    figures, chance = retrieval_figures(ranks, resamples=5, seed=0), chance_figures(ranks)
    for name in PROTOCOLS:
        for metric in ("mean_rank", "median_rank"):
            assert figures[f"{name}/mean", metric].value == chance[f"{name}/mean", metric]
        assert figures[f"{name}/mean", "recall@1"].value == 0.0
    assert figures["global/mean", "recall@5"].value == 1.0  # the middle of nine is the fifth


@pytest.mark.parametrize("ids", [["a"], ["a", "a", "a"]])
def test_one_lesion_and_one_case_have_no_spread(ids):
    n = len(ids)
    figures = retrieval_figures(lesion_ranks(np.eye(n), ids), resamples=10, seed=0)
    for (_, metric), estimate in figures.items():
        assert estimate.value == 1.0, metric
        assert estimate.interval == (1.0, 1.0)


def test_recall_of_each_case():
    table = np.array([[0.9, 0.1, 0.0], [0.8, 0.2, 0.0], [0.0, 0.0, 0.5]])
    found = recall_per_case(lesion_ranks(table, ["x", "x", "y"]))
    assert found.to_dict("list") == {
        "case_id": ["x", "y"],
        "lesions": [2, 1],
        "i2t": [0.5, 1.0],
        "t2i": [1.0, 1.0],
        "mean": [0.75, 1.0],
    }


def test_recall_of_cases_averages_to_that_of_lesions():
    ranks = make_ranks()
    table = recall_per_case(ranks)
    value = retrieval_figures(ranks, resamples=1, seed=0)["intra_case/mean", "recall@1"].value
    assert np.average(table["mean"], weights=table["lesions"]) == pytest.approx(value, abs=1e-12)


def test_bad_arguments_are_named():
    ranks = make_ranks()
    with pytest.raises(ValueError, match="at least 1, got 0"):
        retrieval_figures(ranks, seed=0, ks=(1, 0))
    with pytest.raises(ValueError, match="at least 1, got -2"):
        chance_figures(ranks, ks=(-2,))
    with pytest.raises(KeyError, match=r"'local'.*intra_case"):
        recall_per_case(ranks, protocol="local")
