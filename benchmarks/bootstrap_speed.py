"""The case-level bootstrap of all retrieval metrics beside naive loops over resamples.

217 lesions of 100 cases, 2,000 resamples, every metric of every protocol and direction: the size of
EndoReport100. Two naive versions, both equal to ours to 1e-12 (checked here):

- ``gather``: ranks once; each resample gathers the ranks of its drawn cases' lesions and calls
  `numpy.mean` and `numpy.median`.
- ``rank again``: as one would write it from the definition, each resample also ranks its lesions'
  matches anew.

Process time of one core, the best of several passes. Each naive loop runs over ``--naive``
resamples, and its time is scaled up::

    OMP_NUM_THREADS=1 python benchmarks/bootstrap_speed.py
"""

import argparse
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from endoalign.evaluation.bootstrap import Estimate
from endoalign.evaluation.ranking import lesion_ranks
from endoalign.evaluation.retrieval import RECALL_AT, retrieval_figures

CASES, LESIONS, SEED = 100, 217, 42
DIRECTIONS = ("i2t", "t2i")

Array = NDArray[Any]
Samples = dict[tuple[str, str], list[float]]


def make_data() -> tuple[Array, Array]:
    """Similarity (217, 217) with some signal, and the case of each lesion."""
    rng = np.random.default_rng(SEED)
    case = np.sort(np.concatenate([np.arange(CASES), rng.integers(0, CASES, LESIONS - CASES)]))
    return rng.normal(size=(LESIONS, LESIONS)) + 2 * np.eye(LESIONS), case


def rank(scores: Array, query: int, candidates: Array) -> float:
    chosen, own = scores[candidates], scores[query]
    return float(1 + np.sum(chosen > own) + (np.sum(chosen == own) - 1) / 2)


def metrics_of(ranks: Array) -> dict[str, float]:
    metrics = {f"recall@{k}": float(np.mean(ranks <= k)) for k in RECALL_AT}
    metrics |= {"mean_rank": float(np.mean(ranks)), "mrr": float(np.mean(1 / ranks))}
    return metrics | {"median_rank": float(np.median(ranks))}


def naive(similarity: Array, case: Array, draws: Array, again: bool) -> Samples:
    """Every metric in each resample: rank again, or gather ranks that were computed once."""
    lesions_of = [np.flatnonzero(case == c) for c in range(CASES)]
    first_of = [lesions[:1] for lesions in lesions_of]
    whole, first = np.arange(LESIONS), np.concatenate(first_of)
    # Protocol -> the queries of each case, and the candidates of each case's queries.
    protocols = {
        "global": (lesions_of, [whole] * CASES),
        "intra_case": (lesions_of, lesions_of),
        "case_representative": (first_of, [first] * CASES),
    }
    tables = {"i2t": similarity, "t2i": similarity.T}

    def rank_case(protocol: str, direction: str, c: int) -> Array:
        queries, candidates = protocols[protocol]
        table = tables[direction]
        return np.array([rank(table[q], q, candidates[c]) for q in queries[c]])

    once = {
        (p, d): [rank_case(p, d, c) for c in range(CASES)] for p in protocols for d in DIRECTIONS
    }
    found: Samples = {}
    for drawn in draws:
        for protocol in protocols:
            both = []
            for d in DIRECTIONS:
                per_case = [
                    rank_case(protocol, d, c) if again else once[protocol, d][c] for c in drawn
                ]
                both.append(metrics_of(np.concatenate(per_case)))
            for metric in both[0]:
                i2t, t2i = both[0][metric], both[1][metric]
                for d, value in (("i2t", i2t), ("t2i", t2i), ("mean", (i2t + t2i) / 2)):
                    found.setdefault((f"{protocol}/{d}", metric), []).append(value)
    return found


def seconds(work: Callable[[], object], passes: int) -> float:
    taken = []
    for _ in range(passes):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def largest_difference(found: Samples, figures: Mapping[tuple[str, str], Estimate]) -> float:
    return max(
        float(np.abs(np.array(values) - figures[key].samples[: len(values)]).max())
        for key, values in found.items()
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--resamples", type=int, default=2000)
    arguments.add_argument("--naive", type=int, default=50, help="resamples of the naive loops")
    arguments.add_argument("--passes", type=int, default=7)
    options = arguments.parse_args()

    similarity, case = make_data()
    ranks = lesion_ranks(similarity, case.astype(str).tolist())

    def ours() -> dict[tuple[str, str], Estimate]:
        return retrieval_figures(ranks, resamples=options.resamples, seed=SEED)

    figures = ours()
    fast = seconds(ours, options.passes)
    print(f"ours        {fast:8.4f} s for {options.resamples} resamples, {len(figures)} figures")
    shape = options.resamples, CASES
    draws = np.random.default_rng(SEED).integers(0, CASES, size=shape)[: options.naive]
    for name, again in (("gather", False), ("rank again", True)):

        def loop(again: bool = again) -> Samples:
            return naive(similarity, case, draws, again)

        slow = seconds(loop, 3) * options.resamples / len(draws)
        error = largest_difference(loop(), figures)
        ratio = f"{slow / fast:7.0f} x ours"
        print(f"{name:11s} {slow:8.4f} s, {ratio}, largest difference {error:.1e}")


if __name__ == "__main__":
    main()
