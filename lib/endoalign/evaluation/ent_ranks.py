"""Similarity of queries and candidates, ranks of the first relevant one, and what chance gives."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from endoalign.evaluation.bootstrap import FloatArray
from endoalign.evaluation.ent_tracks import RECALL_AT

Bools = NDArray[np.bool_]
Exclude = Literal["self", "group"]


def first_relevant_ranks(
    similarity: NDArray[np.floating], relevant: Bools, candidates: Bools | None = None
) -> FloatArray:
    """Expected rank of each query's first relevant candidate, ties in random order: (q,).

    With g irrelevant candidates above the best relevant one, and t irrelevant and r relevant ones
    level with it, it is ``1 + g + t / (r + 1)``; for r = 1 this is the mid-rank, so that a constant
    similarity earns no recall. NaN where a query has no relevant candidate.

    Args:
        similarity: (q, n).
        relevant: (q, n), which candidates answer a query.
        candidates: (q, n), which pictures a query chooses from; None means all.

    Raises:
        ValueError: shapes differ, or the similarity of a candidate is NaN.
    """
    among = np.ones(similarity.shape, dtype=bool) if candidates is None else candidates
    if similarity.ndim != 2 or not similarity.shape == relevant.shape == among.shape:
        raise ValueError(
            f"similarity {similarity.shape}, relevant {relevant.shape} and candidates "
            f"{among.shape} must be equal (q, n)"
        )
    if (undefined := np.argwhere(np.isnan(similarity) & among)).size:
        row, column = undefined[0]
        raise ValueError(f"similarity of query {row} and candidate {column} is NaN")
    right, wrong = relevant & among, ~relevant & among
    if similarity.shape[1] == 0:
        return np.full(len(similarity), np.nan)
    best = np.where(right, similarity, -np.inf).max(axis=1, keepdims=True)
    above = (wrong & (similarity > best)).sum(axis=1)
    level = similarity == best
    ties = (wrong & level).sum(axis=1) / ((right & level).sum(axis=1) + 1)
    return np.where(right.any(axis=1), 1.0 + above + ties, np.nan)


def image_to_image(
    similarity: NDArray[np.floating],
    classes: Sequence[object],
    groups: Sequence[object],
    *,
    exclude: Exclude = "self",
) -> FloatArray:
    """Ranks of track 2: every picture asks for another one of its class.

    Args:
        similarity: (n, n) of pictures among themselves.
        classes: n classes (or whatever makes pictures match).
        groups: n groups; with ``exclude`` group a query's own examination is not searched, so that
            its neighbouring frame is no easy answer.

    Raises:
        ValueError: shapes do not fit, or a similarity off the diagonal is NaN.
    """
    same_class, same_group = _equal(classes, classes), _equal(groups, groups)
    others = ~np.eye(len(classes), dtype=bool) if exclude == "self" else ~same_group
    return first_relevant_ranks(similarity, same_class, others)


def text_to_image(
    similarity: NDArray[np.floating], wanted: Sequence[object], shown: Sequence[object]
) -> FloatArray:
    """Ranks of track 3: a text asks for a picture that it describes.

    Args:
        similarity: (q, n), text i with picture j.
        wanted: q classes (or descriptions) that the texts ask for.
        shown: n classes (or descriptions) of the pictures.
    """
    return first_relevant_ranks(similarity, _equal(wanted, shown))


def chance_figures(
    relevant: Bools, candidates: Bools | None = None, *, ks: Sequence[int] = RECALL_AT
) -> dict[str, float]:
    """``recall@K`` and ``mrr`` of a random order, in closed form.

    Of c candidates, r of them relevant, the first relevant one lies beyond rank k with probability
    C(c - r, k) / C(c, k). Queries without a relevant candidate are left out.

    Raises:
        ValueError: no query has a relevant candidate.
    """
    among = np.ones(relevant.shape, dtype=bool) if candidates is None else candidates
    right = (relevant & among).sum(axis=1)
    every = among.sum(axis=1)[right > 0]
    right = right[right > 0]
    if not len(right):
        raise ValueError("no query has a relevant candidate")
    sums = {f"recall@{k}": 0.0 for k in ks} | {"mrr": 0.0}
    kinds, counts = np.unique(np.stack([every, right], axis=1), axis=0, return_counts=True)
    for (c, r), queries in zip(kinds, counts, strict=True):
        step = np.arange(c)
        beyond = np.cumprod(np.clip((c - r - step) / (c - step), 0.0, 1.0))  # beyond rank 1, 2, …
        at = np.append(1.0, beyond[:-1]) - beyond
        for k in ks:
            sums[f"recall@{k}"] += queries * (1 - beyond[min(k, c) - 1])
        sums["mrr"] += queries * float((at / (step + 1)).sum())
    return {name: float(value) / len(right) for name, value in sums.items()}


def softmax_similarity(
    queries: NDArray[np.floating], candidates: NDArray[np.floating], *, scale: float = 1.0
) -> FloatArray:
    """Similarity of section 3.7: softmax over the candidates of inner products.

    It orders the candidates of a query as cosines do.

    Args:
        queries: (q, d), unit norm.
        candidates: (n, d), unit norm.
        scale: inverse temperature; the paper prints none, which is 1.

    Returns:
        (q, n), rows sum to 1.

    Raises:
        ValueError: the features have different lengths.
    """
    if queries.ndim != 2 or candidates.ndim != 2 or queries.shape[1] != candidates.shape[1]:
        raise ValueError(
            f"queries {queries.shape} and candidates {candidates.shape}: (q, d), (n, d)"
        )
    logits = scale * (queries.astype(np.float64) @ candidates.astype(np.float64).T)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _equal(first: Sequence[object], second: Sequence[object]) -> Bools:
    one, two = (np.asarray(values, dtype=object) for values in (first, second))
    return np.asarray(one[:, None] == two[None, :], dtype=bool)
