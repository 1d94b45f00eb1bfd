"""The three tracks of ENTRep: classification and two kinds of retrieval (ENT-CLIP, section 4.2).

Every figure is a mean over pictures or queries or comes from a confusion matrix; its 95 % interval
resamples whole groups (examinations), see `bootstrap`. Systems measured on the same pictures with
the same seed share their resamples, so that `comparison.difference_rows` may compare them.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from endoalign.evaluation.bootstrap import (
    Estimate,
    FloatArray,
    IntArray,
    ratio,
    weighted_means,
    whole_and_resamples,
)

RECALL_AT = (1, 5)
Figures = dict[str, Estimate]


def confusion_matrix(labels: IntArray, predicted: IntArray, classes: int) -> IntArray:
    """Pictures of each class (rows) that were called each class (columns), (c, c).

    Raises:
        ValueError: lengths differ, there is no picture, or an id is outside 0 to c - 1.
    """
    _check_ids(labels, predicted, classes)
    return np.bincount(labels * classes + predicted, minlength=classes**2).reshape(classes, classes)


def classification_figures(
    labels: IntArray,
    predicted: IntArray,
    groups: Sequence[str],
    classes: int,
    *,
    resamples: int = 2000,
    seed: int,
) -> Figures:
    """Accuracy and macro-averaged precision, recall and F1 (track 1).

    Averages are over the classes that occur, as truth or as prediction; a class that was never
    predicted has precision 0, one that never occurred but was predicted recall 0, as scikit-learn
    has it with ``zero_division=0``. In a resample the classes that occur in it are meant.

    Args:
        labels, predicted: (n,) class ids.
        groups: n groups, which are resampled whole.

    Raises:
        ValueError: see `confusion_matrix`; or a picture has no group.
    """
    _check_ids(labels, predicted, classes)
    group, n_groups = _group_codes(groups, len(labels))
    cells = np.zeros((n_groups, classes**2))
    np.add.at(cells, (group, labels * classes + predicted), 1.0)
    weights = whole_and_resamples(n_groups, resamples=resamples, seed=seed)
    matrices = (weights.astype(np.float64) @ cells).reshape(-1, classes, classes)
    return {name: Estimate.from_whole(values) for name, values in macro_metrics(matrices).items()}


def macro_metrics(matrices: FloatArray) -> dict[str, FloatArray]:
    """``accuracy``, ``macro_precision``, ``macro_recall``, ``macro_f1`` of confusion matrices.

    Args:
        matrices: (m, c, c), truth in rows.

    Returns:
        Name -> (m,); NaN where a matrix is empty.
    """
    right = np.diagonal(matrices, axis1=1, axis2=2)
    truth, called = matrices.sum(axis=2), matrices.sum(axis=1)
    occurs = (truth + called) > 0
    parts = {
        "macro_precision": ratio(right, called),
        "macro_recall": ratio(right, truth),
        "macro_f1": ratio(2 * right, truth + called),
    }
    metrics = {"accuracy": ratio(right.sum(axis=1), matrices.sum(axis=(1, 2)))}
    for name, values in parts.items():
        per_class = np.where(occurs, np.nan_to_num(values), 0.0)
        metrics[name] = ratio(per_class.sum(axis=1), occurs.sum(axis=1).astype(np.float64))
    return metrics


def retrieval_figures(
    ranks: FloatArray,
    groups: Sequence[str],
    *,
    ks: Sequence[int] = RECALL_AT,
    resamples: int = 2000,
    seed: int,
) -> Figures:
    """``recall@K`` and ``mrr`` of ranks of first relevant candidates (tracks 2 and 3).

    Args:
        ranks: (q,) from `ent_ranks.first_relevant_ranks`; NaN for queries without a match, which
            are left out.
        groups: q groups, which are resampled whole.

    Raises:
        ValueError: no query has a match, lengths differ, or a K is below 1.
    """
    if wrong := [k for k in ks if k < 1]:
        raise ValueError(f"Recall@K needs K of at least 1, got {wrong[0]}")
    group, n_groups = _group_codes(groups, len(ranks))
    asked = np.isfinite(ranks)
    if not asked.any():
        raise ValueError(f"none of {len(ranks)} queries has a relevant candidate")
    columns = {f"recall@{k}": (ranks[asked] <= k).astype(np.float64) for k in ks}
    columns["mrr"] = 1 / ranks[asked]
    weights = whole_and_resamples(n_groups, resamples=resamples, seed=seed)
    means = weighted_means(np.stack(list(columns.values()), axis=1), group[asked], weights)
    return {name: Estimate.from_whole(means[:, k]) for k, name in enumerate(columns)}


def _group_codes(groups: Sequence[str], n: int) -> tuple[IntArray, int]:
    """Number of each item's group, (n,), and how many groups there are."""
    codes, names = pd.factorize(np.asarray(groups, dtype=object))
    if len(codes) != n or n == 0 or (codes < 0).any():
        raise ValueError(
            f"{n} items need as many groups, none empty, and at least one; got {len(codes)}"
        )
    return codes.astype(np.int64), len(names)


def _check_ids(labels: IntArray, predicted: IntArray, classes: int) -> None:
    if labels.shape != predicted.shape or labels.ndim != 1 or len(labels) == 0:
        raise ValueError(
            f"labels {labels.shape} and predicted {predicted.shape} must be equal (n,)"
        )
    for name, ids in (("labels", labels), ("predicted", predicted)):
        if ids.min() < 0 or ids.max() >= classes:
            raise ValueError(f"{name} hold {ids.min()} to {ids.max()}, not 0 to {classes - 1}")
