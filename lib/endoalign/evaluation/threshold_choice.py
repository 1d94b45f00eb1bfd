"""Thresholds chosen on held-out cases with known links: the sweep, and the rule that selects.

EndoCLIP, section 4.4.2, selects the threshold of stage III on held-out multi-lesion cases and says
not how. Here the value with the greatest F1 wins: precision is the share of right matches among
those kept, recall the right ones kept among all sentences. Of equal F1 the stricter value wins.
"""

from collections.abc import Callable, Collection, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from endoalign.corpus.validation import CorpusError
from endoalign.evaluation.bootstrap import ratio
from endoalign.evaluation.known_links import KnownLinks

Floats = NDArray[np.float64]
GRID = 101
"""Thresholds tried where none are given: quantiles of the scores from 0 to 100 %."""


def sweep_thresholds(
    matches: pd.DataFrame, links: KnownLinks, thresholds: Sequence[float] | None = None
) -> pd.DataFrame:
    """Keep matches above each threshold, and count what is right.

    Args:
        matches: ``finding_id``, ``frame_id`` and ``score`` (empty where unmatched) and ``yielded``:
            a row a sentence of the validation cases (``recovery.disambiguation``).
        links: known links; sentences that are not judged are left out.
        thresholds: values to try; ``None`` tries quantiles of the scores, and one below them all.

    Returns:
        A row a threshold, rising: ``threshold``, ``kept_share``, ``precision``, ``recall``,
        ``f1``; precision is NaN where nothing is kept.

    Raises:
        CorpusError: no sentence is judged, or a matched one has a score that is not finite.
    """
    judged = links.judged_rows(matches)
    if judged.empty:
        raise CorpusError("no sentence of the validation cases has known links: nothing to sweep")
    matched = judged[judged["frame_id"].notna() & ~judged["yielded"].astype(bool)]
    score = matched["score"].to_numpy(dtype=np.float64)
    if not np.isfinite(score).all():
        finding = matched["finding_id"].iloc[int(np.argmin(np.isfinite(score)))]
        raise CorpusError(f"finding {finding!r}: the score of its match is not finite")
    values = _grid(score) if thresholds is None else np.unique(np.asarray(thresholds, np.float64))
    order = np.argsort(score, kind="stable")
    right_above = _sums_from(links.right(matched).to_numpy()[order])
    first = np.searchsorted(score[order], values, side="right")  # kept when above, not equal
    kept = (len(score) - first).astype(np.float64)
    every = np.full(len(values), float(len(judged)))
    return _sweep("threshold", values, kept, right_above[first], every, every)


def choose_threshold(sweep: pd.DataFrame) -> float:
    """Return the threshold with the greatest F1; of equal ones the highest."""
    return _choose(sweep, "threshold")


def sweep_retention(
    values: Sequence[float],
    retain: Callable[[float], Collection[str]],
    frames: pd.DataFrame,
    labels: pd.DataFrame,
) -> pd.DataFrame:
    """Apply a rule of retention with each value, and count the frames with a polyp.

    Args:
        values: values of the rule.
        retain: value -> ids of the frames it keeps.
        frames: all frames that could be kept, of the positive validation cases: ``frame_id``.
        labels: ``frame_id``, ``polyp_present``; frames without a label are left out.

    Returns:
        A row a value, rising: ``value``, ``kept_share``, ``precision``, ``recall``, ``f1``.

    Raises:
        CorpusError: no frame is labelled.
    """
    table = frames[["frame_id"]].merge(labels, on="frame_id")
    if table.empty:
        raise CorpusError("no frame of the validation cases has a label: nothing to sweep")
    present = table["polyp_present"].to_numpy(dtype=bool)
    tried = np.unique(np.asarray(values, dtype=np.float64))
    kept = [table["frame_id"].isin(list(retain(float(value)))).to_numpy() for value in tried]
    kept_counts = np.array([mask.sum() for mask in kept], dtype=np.float64)
    right = np.array([(mask & present).sum() for mask in kept], dtype=np.float64)
    shown = np.full(len(tried), float(present.sum()))
    every = np.full(len(tried), float(len(table)))
    return _sweep("value", tried, kept_counts, right, shown, every)


def choose_retention(sweep: pd.DataFrame) -> float:
    """Return the value with the greatest F1; of equal ones that which keeps fewest frames.

    Where those are equal too, the values keep the same frames, and the highest is returned.
    """
    return _choose(sweep, "value")


def _sweep(
    name: str, values: Floats, kept: Floats, right: Floats, wanted: Floats, every: Floats
) -> pd.DataFrame:
    return pd.DataFrame(
        {
            name: values,
            "kept_share": ratio(kept, every),
            "precision": ratio(right, kept),
            "recall": ratio(right, wanted),
            "f1": ratio(2 * right, kept + wanted),
        }
    )


def _choose(sweep: pd.DataFrame, name: str) -> float:
    defined = sweep[sweep["f1"].notna()]
    if defined.empty:
        raise CorpusError(f"the sweep has no {name} with a defined F1: nothing to choose from")
    order = ["f1", "kept_share", name]
    return float(defined.sort_values(order, ascending=[False, True, False])[name].iloc[0])


def _grid(score: Floats) -> Floats:
    """Quantiles of the scores, and a value just below the least, which keeps every match."""
    if not len(score):
        return np.zeros(1)
    quantiles = np.quantile(score, np.linspace(0, 1, GRID))
    return np.unique([np.nextafter(quantiles[0], -np.inf), *quantiles])


def _sums_from(right: NDArray[np.bool_]) -> Floats:
    """Number of right matches from each place on, and 0 past the last: (n + 1,)."""
    return np.append(np.cumsum(right[::-1])[::-1], 0).astype(np.float64)
