"""The control that only known links allow: each sentence with a frame that truly shows it."""

import pandas as pd

from endoalign.evaluation.known_links import KnownLinks


def oracle_pairs(
    sentences: pd.DataFrame, frames: pd.DataFrame, links: KnownLinks, *, seed: int
) -> pd.DataFrame:
    """Pair each sentence with its representative frame.

    Where that frame is not usable, or none is named as representative, the first usable frame by
    ``frame_id`` that shows the finding stands in; a sentence that no usable frame shows has no
    pair.

    Args:
        sentences: lesion sentences, ``finding_id``, ``case_id``, ``text``.
        frames: usable frames, ``frame_id``, ``case_id``.
        links: known links of the sentences.
        seed: of the run that asks; nothing here is random.

    Returns:
        Table with the columns of pairs (``recovery.pairs.PAIRS``), stage ``oracle``, no score;
        sorted by case, finding and frame.
    """
    shown = sentences[["finding_id", "case_id", "text"]].merge(links.table, on="finding_id")
    shown = shown.merge(frames[["frame_id", "case_id"]], on=["frame_id", "case_id"])
    shown = shown.sort_values(
        ["case_id", "finding_id", "representative", "frame_id"],
        ascending=[True, True, False, True],
        kind="stable",
    )
    best = shown.drop_duplicates("finding_id").reset_index(drop=True)
    best = best.assign(stage="oracle", score=float("nan"), seed=seed)
    return best[["frame_id", "case_id", "finding_id", "text", "stage", "score", "seed"]]
