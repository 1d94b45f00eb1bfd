"""What an adapter found: the same tables for every data set."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pandas as pd

from endoalign.datasets.card import Card
from endoalign.datasets.problems import Problem
from endoalign.vocabulary import SPLITS

COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "cases": (
        "case_id",
        "patient_id",
        "exam_type",
        "split",
        "source",
        "language",
        "report_text",
    ),
    "frames": ("frame_id", "case_id", "path", "index"),
    "labels": ("frame_id", "task", "label"),
    "masks": ("frame_id", "mask_path"),
    "splits": ("frame_id", "protocol", "fold", "part"),
    "texts": ("key", "language", "text"),
}
"""Columns of every table; all hold text but ``index``, the place of a frame in its case."""

Rows = Iterable[Mapping[str, object]]


@dataclass(frozen=True)
class Contents:
    """The tables of one data set on disk; rows that could not be used are ``problems``.

    Attributes:
        card: what is published.
        root: the folder that was read.
        cases: one row an examination, sequence or, where no more is known, picture.
        frames: one row a frame; ``path`` is relative to the root, of the video where the frame is
            inside one.
        labels: what is known of a frame; ``frame_id`` holds the case_id for a label of a whole
            case or video.
        masks: ``mask_path`` relative to the root; read them with `masks.read_mask`.
        splits: which part of which protocol a frame (or case, where ``frame_id`` holds its
            id) is in; one row a protocol and fold.
        texts: ``key`` is a frame_id, or a case_id.
        problems: what is missing or odd.
        counted: counts of things that the tables do not show.
    """

    card: Card
    root: Path
    cases: pd.DataFrame
    frames: pd.DataFrame
    labels: pd.DataFrame
    masks: pd.DataFrame
    splits: pd.DataFrame
    texts: pd.DataFrame
    problems: tuple[Problem, ...] = ()
    counted: Mapping[str, int] = field(default_factory=dict)

    def counts(self) -> dict[str, int]:
        """Return what was found under each name of ``card.expected``."""
        return {name: count_of(self, name) for name in self.card.expected}


def make_contents(
    card: Card,
    root: Path,
    *,
    cases: Rows = (),
    frames: Rows = (),
    labels: Rows = (),
    masks: Rows = (),
    splits: Rows = (),
    texts: Rows = (),
    problems: Sequence[Problem] = (),
    counted: Mapping[str, int] | None = None,
) -> Contents:
    """Return the contents from rows; an absent table is empty and has its columns all the same.

    Rows of ``cases`` need ``case_id`` alone: the patient is then the case itself, the split
    ``train``, the source the data set, the language ``en`` and the report empty. The examination
    is a colonoscopy unless said otherwise. Raises ValueError for an unknown column.
    """
    rows: dict[str, list[Mapping[str, object]]] = {
        "cases": [_whole_case(row, card) for row in cases],
        "frames": list(frames),
        "labels": list(labels),
        "masks": list(masks),
        "splits": list(splits),
        "texts": list(texts),
    }
    tables = {name: _table(name, of_table) for name, of_table in rows.items()}
    return Contents(card, root, **tables, problems=tuple(problems), counted=counted or {})


def count_of(contents: Contents, name: str) -> int:
    """Return how many of ``name`` were found.

    Args:
        contents: of a data set.
        name: a key of ``contents.counted``; a table (``frames``, ``cases``, ``masks``, ``labels``,
            ``texts``); ``patients``; ``files`` (distinct paths of frames); ``train``,
            ``validation`` or ``test`` (frames whose case is in that split); ``TASK=LABEL`` (labels
            of that kind); ``PROTOCOL/PART`` or ``PROTOCOL/FOLD/PART`` (rows of the splits).

    Raises:
        ValueError: a name that is none of these.
    """
    if name in contents.counted:
        return int(contents.counted[name])
    if name in COLUMNS:
        return len(getattr(contents, name))
    if name in ("patients", "files"):
        table, column = (
            (contents.cases, "patient_id") if name == "patients" else (contents.frames, "path")
        )
        return int(table[column].nunique())
    if name in SPLITS:
        cases = contents.cases.loc[contents.cases["split"] == name, "case_id"]
        return int(contents.frames["case_id"].isin(cases).sum())
    if "=" in name:
        return _matching(contents.labels, ("task", "label"), name.split("=", 1))
    parts = name.split("/")
    if len(parts) == 1:
        raise ValueError(f"{contents.card.name}: nothing is counted under the name {name!r}")
    columns = ("protocol", "part") if len(parts) == 2 else ("protocol", "fold", "part")
    return _matching(contents.splits, columns, parts)


def _matching(table: pd.DataFrame, columns: Sequence[str], values: Sequence[str]) -> int:
    wanted = pd.Series(True, index=table.index)
    for column, value in zip(columns, values, strict=True):
        wanted &= table[column] == value
    return int(wanted.sum())


def _whole_case(row: Mapping[str, object], card: Card) -> dict[str, object]:
    return {
        "patient_id": row["case_id"],
        "exam_type": "colonoscopy",
        "split": "train",
        "source": card.name,
        "language": "en",
        "report_text": "",
        **row,
    }


def _table(name: str, rows: list[Mapping[str, object]]) -> pd.DataFrame:
    columns = COLUMNS[name]
    for row in rows:
        if set(row) != set(columns):
            wrong = sorted(set(row) ^ set(columns))
            raise ValueError(f"table {name}: unknown or missing {wrong}; columns: {columns}")
    types: dict[str, Any] = {column: "int64" if column == "index" else "str" for column in columns}
    return pd.DataFrame([dict(row) for row in rows], columns=list(columns)).astype(types)
