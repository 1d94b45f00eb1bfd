"""How well frame scores tell frames with a polyp from frames without: AUROC over cases' frames.

EndoCLIP, section 2.2: frame-level AUROC of "polyp present" for each stage.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from endoalign.evaluation.bootstrap import (
    BLOCK,
    Estimate,
    FloatArray,
    IntArray,
    ratio,
    whole_and_resamples,
)
from endoalign.evaluation.comparison import Row, difference_rows

_KEY = ("frames", "auroc")


def frame_auroc(
    scores: NDArray[np.floating[Any]],
    present: NDArray[np.bool_],
    case_ids: Sequence[str],
    *,
    resamples: int = 2000,
    seed: int,
) -> Estimate:
    """AUROC of frame scores, over all cases and in each resample of them.

    The chance that a frame with a polyp scores above one without; a tie counts half. A resample
    that lacks either kind of frame is undefined (NaN) and left out of intervals.

    Args:
        scores: (n,), higher where a polyp is more likely.
        present: (n,) bool, whether the frame shows a polyp.
        case_ids: n ids, the case of each frame.

    Raises:
        ValueError: lengths differ, ``present`` is not bool, a score is NaN, a frame has no case, or
            all frames are of one kind.
    """
    scores, present = np.asarray(scores), np.asarray(present)
    codes, names = pd.factorize(np.asarray(case_ids, dtype=object))
    _check(scores, present, codes)
    weights = whole_and_resamples(len(names), resamples=resamples, seed=seed)
    return Estimate.from_whole(weighted_auroc(scores, present, codes, weights))


def weighted_auroc(
    scores: NDArray[np.floating[Any]],
    present: NDArray[np.bool_],
    case: IntArray,
    weights: IntArray,
) -> FloatArray:
    """AUROC for each row of weights, a frame counting as often as its case was drawn.

    Args:
        scores: (n,) without NaN.
        present: (n,) bool.
        case: (n,), index of each frame's case.
        weights: (m, n_cases).

    Returns:
        (m,); NaN where either kind of frame is missing. Memory does not grow with m.
    """
    order = np.argsort(scores, kind="stable")
    ordered, case = scores[order], case[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    is_positive = present[order][:, None]
    auroc = np.empty(len(weights))
    for start in range(0, len(weights), rows := max(1, BLOCK // len(scores))):
        drawn = np.ascontiguousarray(weights[start : start + rows].T, dtype=np.float64)[case]
        positive = np.add.reduceat(drawn * is_positive, starts, axis=0)
        negative = np.add.reduceat(drawn * ~is_positive, starts, axis=0)
        below = np.cumsum(negative, axis=0) - negative / 2
        auroc[start : start + rows] = ratio(
            (positive * below).sum(axis=0), positive.sum(axis=0) * negative.sum(axis=0)
        )
    return auroc


def frame_rows(
    systems: Mapping[str, NDArray[np.floating[Any]]],
    present: NDArray[np.bool_],
    case_ids: Sequence[str],
    *,
    pairs: Sequence[tuple[str, str]] = (),
    resamples: int = 2000,
    seed: int,
) -> Iterator[Row]:
    """Rows of AUROC (task ``frame_polyp``), chance, and paired differences.

    Args:
        systems: name -> (n,) scores of the same frames.
        pairs: systems (A, B) to compare as A - B; p values are Holm-adjusted over them.

    Yields rows for `endoalign.results.Results.add`. Errors as in `frame_auroc`.
    """
    figures = {
        name: {_KEY: frame_auroc(scores, present, case_ids, resamples=resamples, seed=seed)}
        for name, scores in systems.items()
    }
    for system, found in figures.items():
        yield _row(system, found[_KEY].value, found[_KEY].interval, len(present))
    yield _row("chance", 0.5, None, len(present))
    n = {_KEY[0]: len(present)}
    yield from difference_rows(figures, pairs, [_KEY], task="frame_polyp", n=n)


def _row(system: str, value: float, interval: tuple[float, float] | None, n: int) -> Row:
    return {
        "system": system,
        "task": "frame_polyp",
        "protocol": _KEY[0],
        "metric": _KEY[1],
        "value": value,
        "interval": interval,
        "n": n,
        "note": "closed form, random scores" if system == "chance" else "",
    }


def _check(scores: NDArray[Any], present: NDArray[Any], codes: IntArray) -> None:
    if scores.ndim != 1 or not scores.shape == present.shape == codes.shape:
        raise ValueError(
            f"scores {scores.shape}, present {present.shape} and case_ids {codes.shape} "
            "must be equal (n,)"
        )
    if present.dtype != np.bool_:
        raise ValueError(f"present must be bool, not {present.dtype}")
    if np.isnan(scores).any():
        raise ValueError(f"score of frame {int(np.argmax(np.isnan(scores)))} is NaN")
    if (codes < 0).any():
        raise ValueError(f"frame {int(np.argmin(codes))} has no case id")
    if present.all() or not present.any():
        raise ValueError(
            f"{int(present.sum())} of {len(present)} frames show a polyp; AUROC needs both kinds"
        )
