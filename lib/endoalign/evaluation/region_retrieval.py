"""Which frame of its own examination a sentence finds: regions, and abnormal findings.

A sentence of a report is compared with all usable frames of its case; it is right when the best
frame shows the region that the sentence is about (task ``region_retrieval``), or the abnormal
finding that it states (task ``finding_retrieval``). Upper GI and colon are two protocols.
"""

from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from endoalign.corpus.truth import Truth
from endoalign.vocabulary import UPPER_REGIONS

REGION: Final = "region_retrieval"
FINDING: Final = "finding_retrieval"
COLUMNS: Final = ["triplet_id", "case_id", "frame_id", "protocol", "right"]


def region_candidates(
    propositions: pd.DataFrame, frames: pd.DataFrame, truth: Truth
) -> pd.DataFrame:
    """Every sentence with every frame of its case, and whether the frame shows its region.

    Sentences whose region no frame of the case shows are left out: nothing could be right.

    Args:
        propositions: ``triplet_id``, ``case_id``, ``region``.
        frames: ``frame_id``, ``case_id``; those that may be found.

    Returns:
        Columns `COLUMNS`, sentence after sentence.
    """
    pairs = _pairs(propositions, frames)
    shown = truth.frame_labels.set_index("frame_id")["region"]
    return _judged(pairs, pairs["frame_id"].map(shown) == pairs["region"])


def finding_candidates(
    propositions: pd.DataFrame, frames: pd.DataFrame, truth: Truth
) -> pd.DataFrame:
    """Every abnormal sentence with every frame of its case, and whether the frame shows it.

    A sentence stands for the true abnormal findings whose words overlap its own. Sentences whose
    findings no usable frame shows are left out; one that stands for no true finding is wrong
    whatever it finds.

    Args:
        propositions: ``triplet_id``, ``case_id``, ``region``, ``status``, ``start``, ``end``.
        frames: ``frame_id``, ``case_id``; those that may be found.

    Returns:
        Columns `COLUMNS`, sentence after sentence.
    """
    abnormal = propositions[propositions["status"] == 1]
    pairs = _pairs(abnormal, frames)
    true = truth.findings[(truth.findings["status"] == 1) & ~truth.findings["negated"]]
    both = abnormal.merge(true, on="case_id", suffixes=("", "_true"))
    meet = (both["start"] < both["end_true"]) & (both["start_true"] < both["end"])
    both = both.loc[meet, ["triplet_id", "finding_id"]]
    known = both.merge(truth.links, on="finding_id")[["triplet_id", "frame_id"]]
    asked = pd.MultiIndex.from_frame(pairs[["triplet_id", "frame_id"]])
    right = pd.Series(asked.isin(pd.MultiIndex.from_frame(known)), index=pairs.index)
    return _judged(pairs, right, unjudged=~pairs["triplet_id"].isin(both["triplet_id"]))


def hits(candidates: pd.DataFrame, scores: NDArray[np.floating[Any]]) -> pd.DataFrame:
    """Whether the best frame of each sentence is right; of equal scores, the share that is right.

    Args:
        candidates: of `region_candidates` or `finding_candidates`.
        scores: (rows,) higher where the frame fits the sentence better.

    Returns:
        ``triplet_id``, ``case_id``, ``protocol``, ``hit`` (0 to 1) and ``chance``, the share of
        the case's frames that are right.

    Raises:
        ValueError: another number of scores than rows, or a score is NaN.
    """
    scores = np.asarray(scores)
    if scores.shape != (len(candidates),):
        raise ValueError(f"scores {scores.shape} must be ({len(candidates)},), one a candidate")
    if np.isnan(scores).any():
        raise ValueError(f"score of candidate {int(np.argmax(np.isnan(scores)))} is NaN")
    candidates = candidates.reset_index(drop=True)  # scores go by place
    groups = candidates.groupby("triplet_id", sort=False)
    best = scores == groups["right"].transform(lambda part: scores[part.index].max()).to_numpy()
    found = groups.agg(
        case_id=("case_id", "first"), protocol=("protocol", "first"), chance=("right", "mean")
    )
    found["hit"] = candidates[best].groupby("triplet_id", sort=False)["right"].mean()
    return found.reset_index()


def _pairs(propositions: pd.DataFrame, frames: pd.DataFrame) -> pd.DataFrame:
    asked = propositions[["triplet_id", "case_id", "region"]]
    pairs = asked.merge(frames[["frame_id", "case_id"]], on="case_id", how="inner")
    upper = pairs["region"].isin(UPPER_REGIONS)
    return pairs.assign(protocol=np.where(upper, "upper_gi", "colon"))


def _judged(
    pairs: pd.DataFrame, right: pd.Series, *, unjudged: pd.Series | None = None
) -> pd.DataFrame:
    """Pairs of sentences that some frame answers, or that stand for nothing true."""
    pairs = pairs.assign(right=right.to_numpy(dtype=bool))
    kept = pairs.groupby("triplet_id")["right"].transform("any").to_numpy(dtype=bool)
    if unjudged is not None:
        kept = kept | unjudged.to_numpy(dtype=bool)
    return pairs.loc[kept, COLUMNS].reset_index(drop=True)
