"""Read and write the tables of a corpus folder; every table is validated both ways."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pandas as pd

from endoalign.corpus.files import read_parquet, write_parquet
from endoalign.corpus.schemas import SCHEMAS
from endoalign.corpus.validation import CorpusError, nearest, validated

MADE_BY: Final = {
    "cases": "00_corpus",
    "frames": "00_corpus",
    "rejected": "00_corpus",
    "findings": "01_curation",
}
"""The notebook that writes each table."""


@dataclass(frozen=True)
class Corpus:
    """What ingest wrote: one row a case, one row a frame, one row a file or row left out."""

    cases: pd.DataFrame
    frames: pd.DataFrame
    rejected: pd.DataFrame


def load_corpus(folder: Path) -> Corpus:
    """Load cases, frames and rejected; every frame must belong to a case."""
    cases, frames = load_cases(folder), load_frames(folder)
    strays = frames.loc[~frames["case_id"].isin(cases["case_id"]), "case_id"]
    if len(strays):
        raise CorpusError(
            f"frames.parquet: column 'case_id', row {strays.index[0]}: {strays.iloc[0]!r} is no "
            "case of cases.parquet; make both again with notebook 00_corpus"
        )
    return Corpus(cases, frames, load_rejected(folder))


def load_cases(folder: Path) -> pd.DataFrame:
    """Load ``cases.parquet`` (`schemas.CASES`); raises `CorpusError`."""
    return load_table("cases", folder)


def load_frames(folder: Path) -> pd.DataFrame:
    """Load ``frames.parquet`` (`schemas.FRAMES`); raises `CorpusError`."""
    return load_table("frames", folder)


def load_rejected(folder: Path) -> pd.DataFrame:
    """Load ``rejected.parquet`` (`schemas.REJECTED`); raises `CorpusError`."""
    return load_table("rejected", folder)


def load_findings(folder: Path) -> pd.DataFrame:
    """Load ``findings.parquet`` (`schemas.FINDINGS`); raises `CorpusError`."""
    return load_table("findings", folder)


def load_table(name: str, folder: Path) -> pd.DataFrame:
    """Load a table by its name; raises `CorpusError` where it is missing, damaged or wrong."""
    _check_name(name)
    path = folder / f"{name}.parquet"
    table = read_parquet(path, f"notebook {MADE_BY[name]} makes it")
    return validated(table, SCHEMAS[name], path.name)


def write_table(name: str, table: pd.DataFrame, folder: Path) -> Path:
    """Validate a table and write it to ``folder``, whole or not at all; returns the file's path.

    Raises `CorpusError` where the table does not fit its schema; the file is then as it was.
    """
    _check_name(name)
    path = folder / f"{name}.parquet"
    write_parquet(validated(table, SCHEMAS[name], path.name), path)
    return path


def _check_name(name: str) -> None:
    if name not in SCHEMAS:
        raise CorpusError(
            f"no table {name!r}{nearest(name, list(SCHEMAS))}; tables: {', '.join(SCHEMAS)}"
        )
