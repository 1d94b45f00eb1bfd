"""Stage II: the best-matching retained frame of each single-lesion case is its anchor."""

import pandas as pd

from endoalign.recovery.candidates import candidates
from endoalign.recovery.pairs import make_pairs


def select_anchors(
    scores: pd.DataFrame, kept: pd.DataFrame, sentences: pd.DataFrame, *, seed: int
) -> pd.DataFrame:
    """Pair each sentence with its best retained frame, ``x* = argmax s(x, t)`` (section 4.4.2).

    There is no threshold; of equal scores the first by ``frame_id`` wins.

    Args:
        scores: scores of the sentences under EndoCLIP-II.
        kept: retained frames, ``frame_id``, ``case_id``.
        sentences: those of the single-lesion cases (`cases.CaseGroups.sentences_of`).

    Returns:
        Table of pairs of stage III; a sentence whose case keeps no frame has none.

    Raises:
        CorpusError: see `candidates.candidates`.
    """
    best = candidates(scores, kept, sentences).drop_duplicates("finding_id")
    return make_pairs(best, stage="III", seed=seed)
