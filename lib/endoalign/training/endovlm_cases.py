"""The examinations that EndoVLM is trained on: frames, propositions and reports, case by case."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
import pandera.pandas as pa
from numpy.typing import NDArray

from endoalign.corpus.columns import one_of, text, whole
from endoalign.corpus.files import read_parquet
from endoalign.corpus.validation import CorpusError, validated
from endoalign.vocabulary import REGIONS

COLUMNS: Final = pa.DataFrameSchema(
    {
        "case_id": text("id of a case of the corpus"),
        "proposition": text("a statement of the report, dropped where blank", nullable=True),
        "region": one_of(REGIONS),
        "status": whole("0 normal or 1 abnormal"),
    },
    checks=pa.Check(lambda table: table["status"] <= 1, error="status is 0 or 1"),
    strict=True,
    coerce=True,
)
"""What training reads of a table of propositions; its other columns are passed over."""


@dataclass(frozen=True)
class EndovlmCases:
    """B cases, F frames and M propositions; both lie case after case.

    Attributes:
        case_ids: sorted.
        frame_rows: (F,) row of the frames table.
        frame_offsets: (B + 1,) where each case's frames begin.
        propositions: M texts.
        regions: (M,) place in `REGIONS`.
        abnormal: (M,) booleans.
        proposition_offsets: (B + 1,) where each case's propositions begin.
        reports: B texts of whole examinations.
    """

    case_ids: list[str]
    frame_rows: NDArray[np.int64]
    frame_offsets: NDArray[np.int64]
    propositions: list[str]
    regions: NDArray[np.int64]
    abnormal: NDArray[np.bool_]
    proposition_offsets: NDArray[np.int64]
    reports: list[str]

    def __len__(self) -> int:
        return len(self.case_ids)

    @property
    def texts(self) -> list[str]:
        """All propositions and reports, as they are read."""
        return [*self.propositions, *self.reports]

    def frames_of(self, case: int) -> NDArray[np.int64]:
        """Rows of the frames table of one case."""
        return self.frame_rows[slice(*self.frame_offsets[case : case + 2])]

    def places_of(self, case: int) -> NDArray[np.int64]:
        """Places of one case's propositions."""
        return np.arange(*self.proposition_offsets[case : case + 2])


def read_propositions(path: Path) -> pd.DataFrame:
    """Read a table of propositions; blank ones are dropped.

    Raises:
        CorpusError: the file is missing, damaged or unfit, or holds no proposition.
    """
    table = read_parquet(path, "notebook 05_endovlm_pretraining makes the propositions")
    if "status" in table:  # before a type is forced on it, which would cut 0.9 to 0
        numbers = pd.to_numeric(table["status"], errors="coerce")
        wrong = np.flatnonzero(numbers % 1 > 0)
        if len(wrong):
            raise CorpusError(
                f"{path}, row {wrong[0]}: status is {numbers.iloc[wrong[0]]:g}, must be 0 (normal) "
                f"or 1 (abnormal); {len(wrong)} such rows of {len(table)}"
            )
    table = validated(
        table[[name for name in COLUMNS.columns if name in table]], COLUMNS, path.name
    )
    table = table[table["proposition"].fillna("").str.strip() != ""].reset_index(drop=True)
    if table.empty:
        raise CorpusError(f"{path} holds no proposition: nothing to train on")
    return table


def gather_cases(
    propositions: pd.DataFrame, frames: pd.DataFrame, reports: Mapping[str, str] | None
) -> EndovlmCases:
    """Bring propositions, frames and reports together, one case of the propositions at a time.

    Args:
        propositions: ``case_id``, ``proposition``, ``region``, ``status``.
        frames: ``case_id`` and ``retained``; those not retained are left out, undecided ones not.
            The frame of row i is picture i of the pixel source.
        reports: text by case; None takes each case's propositions, joined.

    Raises:
        CorpusError: a case has no frame or no report; the message names the first and counts them.
    """
    table = propositions.sort_values("case_id", kind="stable")
    case_ids = sorted(table["case_id"].unique())
    usable = frames["retained"].fillna(True).to_numpy(dtype=bool)
    rows = np.flatnonzero(usable & frames["case_id"].isin(case_ids).to_numpy())
    owner = pd.Index(case_ids).get_indexer(pd.Index(frames["case_id"].iloc[rows]))
    rows, owner = rows[np.argsort(owner, kind="stable")], np.sort(owner)
    frame_offsets = np.searchsorted(owner, np.arange(len(case_ids) + 1))
    _none_missing(case_ids, np.diff(frame_offsets) > 0, "no usable frame in frames.parquet")
    if reports is None:
        joined = table.groupby("case_id", sort=True)["proposition"].agg(_joined)
        reports = dict(zip(joined.index, joined, strict=True))
    texts = [str(reports.get(case) or "") for case in case_ids]
    has_text = np.array([bool(one.strip()) for one in texts])
    _none_missing(case_ids, has_text, "no report text; or set global_text: propositions")
    places = pd.Index(case_ids).get_indexer(pd.Index(table["case_id"]))
    return EndovlmCases(
        case_ids,
        rows.astype(np.int64),
        frame_offsets.astype(np.int64),
        [str(one) for one in table["proposition"]],
        pd.Index(REGIONS).get_indexer(pd.Index(table["region"])).astype(np.int64),
        table["status"].to_numpy() == 1,
        np.searchsorted(places, np.arange(len(case_ids) + 1)).astype(np.int64),
        texts,
    )


def _joined(propositions: pd.Series) -> str:
    return " ".join(dict.fromkeys(propositions))


def _none_missing(case_ids: list[str], has: NDArray[np.bool_], what: str) -> None:
    missing = [case for case, it_has in zip(case_ids, has, strict=True) if not it_has]
    if missing:
        raise CorpusError(
            f"case {missing[0]!r} has propositions but {what} ({len(missing)} such cases of "
            f"{len(case_ids)}): leave such cases out of the propositions"
        )
