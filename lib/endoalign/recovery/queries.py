"""Queries: the texts against which frames are scored, of all cases or of one case's frames."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pandera.pandas as pa
from numpy.typing import NDArray

from endoalign.corpus.columns import pattern, text
from endoalign.corpus.validation import CorpusError, validated
from endoalign.recovery.pairs import PROMPTS

QUERIES = pa.DataFrameSchema(
    {
        "case_id": text("id of the case whose frames are scored, empty for all", nullable=True),
        "query": pattern("a finding_id, present or absent", r".+"),
        "text": pattern("a text that is not blank", r"(?s:.*\S.*)"),
    },
    strict=True,
    coerce=True,
)


def prompt_queries(case_ids: Iterable[str] | None = None) -> pd.DataFrame:
    """Return the two prompts as queries, for the frames of some cases or of all (``None``)."""
    where = [None] if case_ids is None else list(case_ids)
    rows = [(case_id, name, words) for case_id in where for name, words in PROMPTS.items()]
    return pd.DataFrame(rows, columns=list(QUERIES.columns)).astype(object)


def sentence_queries(sentences: pd.DataFrame) -> pd.DataFrame:
    """Return each sentence as a query for the frames of its case.

    Args:
        sentences: ``finding_id``, ``case_id``, ``text``, as in `cases.CaseGroups`.
    """
    renamed = sentences.rename(columns={"finding_id": "query"})
    return renamed[list(QUERIES.columns)].reset_index(drop=True)


@dataclass(frozen=True)
class QueryIndex:
    """Queries laid out so that those of a block of frames are found without a loop over rows.

    Attributes:
        everywhere: queries of all cases, in the order given.
        own: queries of single cases, those of a case together.
        start, count: where each case's queries start in ``own``, and how many there are.
        case: (n_frames,) index of each frame's case in ``start``, -1 where it has no query.
    """

    everywhere: pd.DataFrame
    own: pd.DataFrame
    start: NDArray[np.int64]
    count: NDArray[np.int64]
    case: NDArray[np.int64]

    @classmethod
    def build(cls, queries: pd.DataFrame, frames: pd.DataFrame) -> "QueryIndex":
        """Lay out queries for a frames table; raises `CorpusError` where they do not fit."""
        queries = validated(queries, QUERIES, "queries")
        is_own = queries["case_id"].notna()
        everywhere, own = queries[~is_own], queries[is_own].sort_values("case_id", kind="stable")
        _check_once(queries, everywhere)
        sizes = own.groupby("case_id", sort=True).size()
        count = np.asarray(sizes, dtype=np.int64)
        case = pd.Index(sizes.index).get_indexer(pd.Index(frames["case_id"]))
        return cls(
            everywhere.reset_index(drop=True),
            own.reset_index(drop=True),
            np.asarray(np.cumsum(count) - count, dtype=np.int64),
            count,
            np.asarray(case, dtype=np.int64),
        )

    def wanted(self) -> NDArray[np.int64]:
        """Return the rows of the frames that any query concerns, in their order."""
        if len(self.everywhere):
            return np.arange(len(self.case), dtype=np.int64)
        return np.flatnonzero(self.case >= 0).astype(np.int64)

    def own_of(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return pairs of a place in ``rows`` and a row of ``own``, frame by frame."""
        case = self.case[rows]
        has = case >= 0
        counts = np.where(has, self.count[case], 0) if len(self.count) else np.zeros_like(case)
        starts = np.where(has, self.start[case], 0) if len(self.count) else np.zeros_like(case)
        places = np.repeat(np.arange(len(rows), dtype=np.int64), counts)
        before = np.repeat(np.cumsum(counts) - counts, counts)
        return places, np.arange(len(places)) - before + np.repeat(starts, counts)


def _check_once(queries: pd.DataFrame, everywhere: pd.DataFrame) -> None:
    """Refuse a query that would score one frame twice under one name."""
    twice = queries.duplicated(["case_id", "query"])
    if not twice.any():
        twice = queries["case_id"].notna() & queries["query"].isin(everywhere["query"])
    if twice.any():
        row = queries[twice].iloc[0]
        raise CorpusError(f"queries: {row['query']!r} is given twice for case {row['case_id']!r}")
