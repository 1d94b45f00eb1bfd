"""One score a frame out of the scores of the two prompts."""

from typing import Final, Literal

import numpy as np
import pandas as pd

from endoalign.corpus.validation import CorpusError, nearest

FrameScore = Literal["similarity", "margin"]
KINDS: Final = ("similarity", "margin")


def frame_scores(
    scores: pd.DataFrame, frames: pd.DataFrame, kind: FrameScore = "similarity"
) -> pd.DataFrame:
    """Return one score a frame: how much it looks like "polyp present".

    Args:
        scores: scores of the prompts, ``frame_id``, ``query`` (``present``, ``absent``), ``score``.
        frames: ``frame_id``, ``case_id`` of the frames that are wanted.
        kind: ``similarity`` to "polyp present" (EndoCLIP, section 4.4.2), or ``margin``: that
            minus the similarity to "no finding".

    Returns:
        ``frame_id``, ``case_id``, ``score`` (float64), a row for each wanted frame, in its order.

    Raises:
        CorpusError: the kind is unknown, or a wanted frame has no score or one that is not finite.
    """
    if kind not in KINDS:
        raise CorpusError(
            f"no score {kind!r}{nearest(kind, list(KINDS))}; scores: similarity, margin"
        )
    values = _prompt_scores(scores, frames, "present")
    if kind == "margin":
        values = values - _prompt_scores(scores, frames, "absent")
    table = frames[["frame_id", "case_id"]].reset_index(drop=True)
    return table.assign(score=values)


def _prompt_scores(
    scores: pd.DataFrame, frames: pd.DataFrame, query: str
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    found = scores[scores["query"] == query].set_index("frame_id")["score"]
    values = found.reindex(frames["frame_id"]).to_numpy(dtype=np.float64)
    broken = np.flatnonzero(~np.isfinite(values))
    if len(broken):
        frame = frames["frame_id"].iloc[broken[0]]
        raise CorpusError(
            f"frame {frame!r} has no finite score of query {query!r}: score it with prompt_queries"
        )
    return values
