"""Stage III: sentences of multi-lesion cases are matched to retained frames (section 4.4.2).

Works as well for a second round over all cases, single-lesion ones too, with the final model.
"""

from typing import Literal

import numpy as np
import pandas as pd
from pydantic import BaseModel, ConfigDict, Field
from scipy.optimize import linear_sum_assignment

from endoalign.recovery.candidates import candidates
from endoalign.recovery.pairs import make_pairs


class MatchingSettings(BaseModel):
    """How sentences of a case find their frames."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    assignment: Literal["argmax", "one_to_one"] = Field(
        "argmax",
        description="argmax: each sentence takes its best frame (paper); one_to_one: the frames of "
        "a case are shared out so that the sum of scores is greatest, each to one sentence at most",
    )
    threshold: float | None = Field(
        0.28, description="a match is kept when its score exceeds it; None keeps every match"
    )
    exclusive: bool = Field(
        False, description="where sentences take the same frame, only the best of them keeps it"
    )


def match_sentences(
    scores: pd.DataFrame, kept: pd.DataFrame, sentences: pd.DataFrame, settings: MatchingSettings
) -> pd.DataFrame:
    """Match each sentence to a retained frame of its case.

    Of equal frames the first by ``frame_id`` is the best; of equal sentences that want one frame
    the first given keeps it. The one-to-one assignment is made before the threshold; sentences
    beyond the number of frames stay unmatched.

    Args:
        scores: scores of the sentences (under EndoCLIP-III, in a second round the final model).
        kept: retained frames, ``frame_id``, ``case_id``.
        sentences: ``finding_id``, ``case_id``, ``text``.

    Returns:
        A row a sentence, in the order given: ``finding_id``, ``case_id``, ``text``, ``frame_id``
        and ``score`` (empty where unmatched), ``yielded`` (its frame went to a better match) and
        ``kept`` (matched, not yielded, above the threshold).

    Raises:
        CorpusError: see `candidates.candidates`.
    """
    possible = candidates(scores, kept, sentences)
    if settings.assignment == "argmax":
        best = possible.drop_duplicates("finding_id")
    else:
        best = _one_to_one(possible)
    table = sentences[["finding_id", "case_id", "text"]].merge(
        best[["finding_id", "frame_id", "score"]], on="finding_id", how="left"
    )
    table["yielded"] = _yielded(table) if settings.exclusive else False
    above = table["score"] > (-np.inf if settings.threshold is None else settings.threshold)
    return table.assign(kept=above & ~table["yielded"])


def match_pairs(matches: pd.DataFrame, *, seed: int, stage: str = "IV") -> pd.DataFrame:
    """Return the kept matches as a table of pairs."""
    return make_pairs(matches[matches["kept"]], stage=stage, seed=seed)


def _one_to_one(possible: pd.DataFrame) -> pd.DataFrame:
    """Return the assignment of each case with the greatest sum, a row a matched sentence."""
    case, sentence = (pd.factorize(possible[name])[0] for name in ("case_id", "finding_id"))
    grid = possible.assign(_case=case, _sentence=sentence)
    grid = grid.sort_values(["_case", "_sentence", "frame_id"], kind="stable")
    scores = grid["score"].to_numpy()
    by_case = grid.groupby("_case")["_sentence"]
    start, chosen = 0, [np.zeros(0, dtype=np.int64)]
    for size, sentences in zip(by_case.size(), by_case.nunique(), strict=True):
        # every sentence of a case has all of the case's retained frames
        square = scores[start : start + size].reshape(sentences, -1)
        row, column = linear_sum_assignment(square, maximize=True)
        chosen.append(start + row * square.shape[1] + column)
        start += size
    return grid.iloc[np.concatenate(chosen)]


def _yielded(table: pd.DataFrame) -> pd.Series:
    """Whether a better match, or an equal one that comes first, took the same frame."""
    ranked = table[table["frame_id"].notna()].sort_values("score", ascending=False, kind="stable")
    later = ranked.duplicated("frame_id")
    return later.reindex(table.index, fill_value=False)
