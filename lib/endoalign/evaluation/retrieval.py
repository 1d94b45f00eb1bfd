"""Lesion retrieval: recall, ranks and reciprocal ranks with intervals over resampled cases.

EndoCLIP, sections 2.2 and 4.5.5. Lesions are ranked once (`lesion_ranks`); a resample only weighs
the ranks by how often their cases were drawn, so the candidates are the same in every resample.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from endoalign.evaluation.bootstrap import (
    Estimate,
    FloatArray,
    IntArray,
    weighted_means,
    weighted_median,
    whole_and_resamples,
)
from endoalign.evaluation.ranking import LesionRanks, ProtocolRanks

RECALL_AT: Final = (1, 5, 10)

Figures = dict[tuple[str, str], Estimate]
"""(protocol, metric) -> estimate, such as ("global/mean", "recall@1")."""


def retrieval_figures(
    ranks: LesionRanks, *, resamples: int = 2000, seed: int, ks: Sequence[int] = RECALL_AT
) -> Figures:
    """Every metric of every protocol and direction, over all cases and in each resample of them.

    Metrics are over lesions: ``recall@K`` (share whose match ranks at most K), ``median_rank``,
    ``mean_rank`` and ``mrr`` (mean of 1 / rank). Protocols are those of `lesion_ranks` with a
    direction: ``i2t``, ``t2i``, or ``mean``, the mean of both directions' metrics.

    Args:
        resamples: resamples of the cases; with the same seed they are shared by all systems.
        ks: the K of Recall@K, at least 1; a K beyond the candidates gives 1.

    Raises:
        ValueError: a K is below 1.
    """
    _check_ks(ks)
    weights = whole_and_resamples(len(ranks.case_ids), resamples=resamples, seed=seed)
    figures: Figures = {}
    for name, protocol in ranks.protocols.items():
        for metric, (i2t, t2i) in _metrics(protocol, weights, ks).items():
            for direction, samples in (("i2t", i2t), ("t2i", t2i), ("mean", (i2t + t2i) / 2)):
                figures[f"{name}/{direction}", metric] = Estimate.from_whole(samples)
    return figures


def chance_figures(
    ranks: LesionRanks, *, ks: Sequence[int] = RECALL_AT
) -> dict[tuple[str, str], float]:
    """What a uniformly random order of the candidates gives, in closed form.

    A query with c candidates then has Recall@K ``min(K, c) / c``, mean rank ``(c + 1) / 2`` and
    mean reciprocal rank ``(1 + 1/2 + ... + 1/c) / c``; over queries these are averaged (within
    cases, Recall@1 is the mean of 1 / n_case over lesions). The median rank is that of the
    queries' ranks taken together.

    Returns:
        (protocol, metric) -> value, keys as in `retrieval_figures`.
    """
    _check_ks(ks)
    figures: dict[tuple[str, str], float] = {}
    for name, protocol in ranks.protocols.items():
        c = protocol.candidates
        harmonic = np.cumsum(1 / np.arange(1, c.max() + 1))
        metrics = {f"recall@{k}": float((np.minimum(k, c) / c).mean()) for k in ks}
        metrics["median_rank"] = _chance_median(protocol)
        metrics["mean_rank"] = float(((c + 1) / 2).mean())
        metrics["mrr"] = float((harmonic[c - 1] / c).mean())
        for direction in ("i2t", "t2i", "mean"):
            figures |= {(f"{name}/{direction}", metric): v for metric, v in metrics.items()}
    return figures


def recall_per_case(
    ranks: LesionRanks, *, protocol: str = "intra_case", k: int = 1
) -> pd.DataFrame:
    """Recall@K of each case's lesions (EndoCLIP, Fig. 3d).

    Returns:
        A row a case, in order of appearance: case_id, lesions (their number), i2t, t2i, mean.

    Raises:
        KeyError: unknown protocol; names the known ones.
        ValueError: K is below 1.
    """
    _check_ks([k])
    if protocol not in ranks.protocols:
        raise KeyError(f"unknown protocol {protocol!r}; known are {sorted(ranks.protocols)}")
    chosen = ranks.protocols[protocol]
    hits = pd.DataFrame({"case": chosen.case, "i2t": chosen.i2t <= k, "t2i": chosen.t2i <= k})
    table = hits.groupby("case")[["i2t", "t2i"]].mean()
    table["mean"] = table.mean(axis=1)
    table.insert(0, "lesions", hits.groupby("case").size())
    table.insert(0, "case_id", [ranks.case_ids[code] for code in table.index])
    return table.reset_index(drop=True)


def _metrics(
    protocol: ProtocolRanks, weights: IntArray, ks: Sequence[int]
) -> dict[str, FloatArray]:
    """Metric -> its values for i2t and t2i and each row of weights, (2, m)."""
    ranks, case = (protocol.i2t, protocol.t2i), protocol.case
    columns = {f"recall@{k}": [(rank <= k).astype(np.float64) for rank in ranks] for k in ks}
    columns |= {"mean_rank": list(ranks), "mrr": [1 / rank for rank in ranks]}
    means = weighted_means(np.concatenate(list(columns.values())).T, case, weights)
    metrics = dict(zip(columns, means.T.reshape(len(columns), 2, -1), strict=True))
    medians = [weighted_median(rank, case, weights) for rank in ranks]
    return metrics | {"median_rank": np.stack(medians)}


def _chance_median(protocol: ProtocolRanks) -> float:
    """Median of ranks that are uniform on 1..c for each query; the middle where two qualify."""
    c = protocol.candidates
    # How many queries' ranks lie at k, in expectation: those with c >= k give 1 / c each.
    sizes, queries = np.unique(c, return_counts=True)
    k = np.arange(1, c.max() + 1)
    below = np.minimum(k[None, :] / sizes[:, None], 1.0).T @ (queries / len(c))
    first = int(np.argmax(below >= 0.5 - 1e-12))
    last = int(np.argmax(below > 0.5 + 1e-12))
    return float(k[first] + k[last]) / 2


def _check_ks(ks: Sequence[int]) -> None:
    if wrong := [k for k in ks if k < 1]:
        raise ValueError(f"Recall@K needs K of at least 1, got {wrong[0]}")
