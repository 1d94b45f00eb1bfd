"""The rank of each lesion's match among the candidates of every retrieval protocol.

EndoCLIP, section 2.2: lesions are linked one to one with a representative frame and a finding
sentence; a frame looks for its sentence (``i2t``) or a sentence for its frame (``t2i``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from endoalign.evaluation.bootstrap import FloatArray, IntArray

_ROWS: Final = 1024  # queries ranked at once, so that memory grows with candidates alone


@dataclass(frozen=True)
class ProtocolRanks:
    """Ranks under one protocol, an entry a query.

    Attributes:
        case: (n,), index of each lesion's case in `LesionRanks.case_ids`.
        i2t: (n,), rank of its sentence for each frame; 1 is best, halves come from ties.
        t2i: (n,), rank of its frame for each sentence.
        candidates: (n,), number of candidates that each query chooses from.
    """

    case: IntArray
    i2t: FloatArray
    t2i: FloatArray
    candidates: IntArray


@dataclass(frozen=True)
class LesionRanks:
    """Ranks of one system: protocol -> ranks, with the ids of the cases in order of appearance."""

    case_ids: tuple[str, ...]
    protocols: dict[str, ProtocolRanks]


def lesion_ranks(
    similarity: NDArray[np.floating[Any]],
    case_ids: Sequence[str],
    *,
    representative: Sequence[bool] | NDArray[np.bool_] | None = None,
) -> LesionRanks:
    """Rank the match of every lesion, in both directions, under three protocols.

    - ``global``: candidates are all lesions.
    - ``intra_case``: candidates are the lesions of the same case. The lesion of a case with only
      one always ranks first; pass multi-lesion cases alone, as the paper does.
    - ``case_representative``: one lesion a case, candidates are those of all cases. The paper names
      the protocol (Table S19) without giving its details; by default the representative is the
      case's first lesion in the order given, which is that of the report.

    Args:
        similarity: (n, n), frame i with sentence j; matched pairs are on the diagonal. Encode equal
            sentences once: two encodings may differ in the last digit and then no longer tie.
        case_ids: n ids, the case of each lesion.
        representative: n flags, exactly one true a case.

    Raises:
        ValueError: shapes do not fit, there is no lesion, a case has no id, a similarity is NaN, or
            a case has no or several representatives.
    """
    n = len(case_ids)
    if similarity.shape != (n, n) or n == 0:
        raise ValueError(
            f"similarity {similarity.shape} must be (n, n) for the {n} lesions of case_ids, n >= 1"
        )
    codes, names = pd.factorize(np.asarray(case_ids, dtype=object))
    case = codes.astype(np.int64)
    if (case < 0).any():
        raise ValueError(f"lesion {int(np.argmin(case))} has no case id")
    chosen = _representatives(case, names, representative)
    parts = {
        "global": (np.arange(n), np.zeros(n, dtype=np.int64)),
        "intra_case": (np.arange(n), case),
        "case_representative": (chosen, np.zeros(len(chosen), dtype=np.int64)),
    }
    protocols = {}
    for name, (lesions, group) in parts.items():
        part = similarity if len(lesions) == n else similarity[np.ix_(lesions, lesions)]
        protocols[name] = ProtocolRanks(
            case=case[lesions],
            i2t=mid_ranks(part, group),
            t2i=mid_ranks(part.T, group),
            candidates=np.bincount(group)[group],
        )
    return LesionRanks(tuple(map(str, names)), protocols)


def mid_ranks(similarity: NDArray[np.floating[Any]], group: IntArray) -> FloatArray:
    """Rank of each row's diagonal entry among the columns of its own group.

    ``1 + greater + ties / 2``, ties counted among the other candidates: the mean rank over all
    orders of the tied ones, so that a constant similarity earns no recall.

    Args:
        similarity: (n, n), query i with candidate j, the match on the diagonal.
        group: (n,), a query's candidates are those of its own group.

    Returns:
        (n,) ranks, 1 to the number of candidates.

    Raises:
        ValueError: a similarity is NaN.
    """
    ranks = [
        1 + ((block > own) & same).sum(axis=1) + (((block == own) & same).sum(axis=1) - 1) / 2
        for block, own, same in _blocks(similarity, group)
    ]
    return np.concatenate(ranks)


def _blocks(
    similarity: NDArray[np.floating[Any]], group: IntArray
) -> Iterator[tuple[NDArray[np.floating[Any]], NDArray[np.floating[Any]], NDArray[np.bool_]]]:
    """Some rows at a time: the rows, their diagonal entries, and which columns are candidates."""
    matched = np.diagonal(similarity)[:, None]
    for start in range(0, len(similarity), _ROWS):
        rows = slice(start, start + _ROWS)
        block = similarity[rows]
        if (undefined := np.argwhere(np.isnan(block))).size:
            row, column = undefined[0]
            raise ValueError(
                f"similarity of query {start + row} and candidate {column} is NaN; "
                "features must be finite"
            )
        yield block, matched[rows], group[rows, None] == group[None, :]


def _representatives(
    case: IntArray, names: NDArray[Any], flags: Sequence[bool] | NDArray[np.bool_] | None
) -> IntArray:
    """Index of one lesion a case, (n_cases,)."""
    if flags is None:
        return np.unique(case, return_index=True)[1]
    chosen = np.asarray(flags, dtype=bool)
    if chosen.shape != case.shape:
        raise ValueError(f"representative {chosen.shape} must hold {len(case)} flags")
    per_case = np.bincount(case[chosen], minlength=len(names))
    if (wrong := np.flatnonzero(per_case != 1)).size:
        raise ValueError(
            f"case {names[wrong[0]]!r} has {per_case[wrong[0]]} representatives; it needs one"
        )
    return np.flatnonzero(chosen)
