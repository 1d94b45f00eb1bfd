"""Bags of frames: the soft targets of multiple-instance training (MIL-NCE), beyond the paper."""

import pandas as pd

from endoalign.recovery.candidates import candidates
from endoalign.recovery.pairs import make_pairs


def bag_pairs(
    scores: pd.DataFrame,
    kept: pd.DataFrame,
    sentences: pd.DataFrame,
    *,
    top: int | None = None,
    seed: int,
    stage: str = "IV-bags",
) -> pd.DataFrame:
    """Pair each sentence with all retained frames of its case, or its ``top`` best.

    Returns:
        Table of pairs with several rows a ``finding_id``: one bag each.

    Raises:
        CorpusError: see `candidates.candidates`.
        ValueError: ``top`` is below 1.
    """
    if top is not None and top < 1:
        raise ValueError(f"a bag holds 1 frame or more, not {top}; None takes all")
    table = candidates(scores, kept, sentences)
    if top is not None:
        table = table.groupby("finding_id", sort=False).head(top)
    return make_pairs(table, stage=stage, seed=seed)
