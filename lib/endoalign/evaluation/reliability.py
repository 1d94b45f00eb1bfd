"""How often a match is right, given its score: the reliability curve of stage III."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from endoalign.evaluation.known_links import KnownLinks

_Z = 1.959963984540054  # two-sided 95 % quantile of the normal distribution


def reliability(matches: pd.DataFrame, links: KnownLinks, *, bins: int = 10) -> pd.DataFrame:
    """Accuracy of matches by score, in bins that hold about equally many.

    The bins part the sorted scores; equal scores never part, so ties may leave fewer bins.

    Args:
        matches: ``finding_id``, ``frame_id``, ``score``; those unmatched are left out, those below
            the threshold are not.
        links: known links; sentences that are not judged are left out.
        bins: greatest number of bins.

    Returns:
        A row a bin, by rising score: ``score_low``, ``score_high``, ``score_mean``, ``n``,
        ``right``, ``accuracy``, and its 95 % Wilson interval ``ci_low``, ``ci_high``. (A bootstrap
        would give no width to a bin that is right throughout; cases hold few matches of one bin.)

    Raises:
        ValueError: ``bins`` is below 1.
    """
    if bins < 1:
        raise ValueError(f"a reliability curve has 1 bin or more, not {bins}")
    judged = links.judged_rows(matches[matches["frame_id"].notna()])
    score = judged["score"].astype(np.float64)
    rank = score.rank(method="min").astype(np.int64) - 1
    table = pd.DataFrame(
        {"bin": rank * bins // max(len(judged), 1), "score": score, "right": links.right(judged)}
    )
    grouped = table.groupby("bin")
    curve = grouped["score"].agg(["min", "max", "mean", "size"])
    curve.columns = pd.Index(["score_low", "score_high", "score_mean", "n"])
    curve["right"] = grouped["right"].sum().astype(np.int64)
    curve["accuracy"] = curve["right"] / curve["n"]
    low, high = wilson(curve["right"].to_numpy(), curve["n"].to_numpy())
    return curve.assign(ci_low=low, ci_high=high).reset_index(drop=True)


def wilson(
    right: NDArray[np.int64], n: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """95 % score interval of a proportion ``right / n`` (Wilson 1927); ``n`` is 1 or more."""
    share = right / n
    middle = share + _Z**2 / (2 * n)
    half = _Z * np.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
    scale = 1 + _Z**2 / n
    return np.maximum((middle - half) / scale, 0.0), np.minimum((middle + half) / scale, 1.0)
