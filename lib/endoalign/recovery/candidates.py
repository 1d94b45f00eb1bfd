"""The retained frames that a sentence may be matched to, with their scores."""

import numpy as np
import pandas as pd

from endoalign.corpus.validation import CorpusError


def candidates(scores: pd.DataFrame, kept: pd.DataFrame, sentences: pd.DataFrame) -> pd.DataFrame:
    """Return each sentence's retained frames, the best first; ties by ``frame_id``.

    Args:
        scores: scores of the sentences (`score_store.load_scores`); those of other frames and
            queries are left aside.
        kept: retained frames, ``frame_id``, ``case_id``.
        sentences: ``finding_id``, ``case_id``, ``text``.

    Returns:
        ``finding_id``, ``case_id``, ``text``, ``frame_id``, ``score`` (float64); sentences in the
        order given. A sentence whose case keeps no frame has no row.

    Raises:
        CorpusError: a sentence is given twice, or the score of a retained frame is missing or not
            finite.
    """
    twice = sentences["finding_id"].duplicated()
    if twice.any():
        raise CorpusError(f"finding {sentences['finding_id'][twice].iloc[0]!r} is given twice")
    table = sentences[["finding_id", "case_id", "text"]].assign(_place=np.arange(len(sentences)))
    table = table.merge(kept[["frame_id", "case_id"]], on="case_id")
    known = scores[["frame_id", "query", "score"]].rename(columns={"query": "finding_id"})
    table = table.merge(known, on=["frame_id", "finding_id"], how="left", validate="one_to_one")
    table["score"] = table["score"].astype(np.float64)
    broken = ~np.isfinite(table["score"].to_numpy())
    if broken.any():
        row = table[broken].iloc[0]
        raise CorpusError(
            f"frame {row['frame_id']!r} has no finite score of finding {row['finding_id']!r}: "
            "score the sentences with sentence_queries"
        )
    order = ["_place", "score", "frame_id"]
    table = table.sort_values(order, ascending=[True, False, True], kind="stable")
    return table.drop(columns="_place").reset_index(drop=True)
