"""Files of a corpus that appear whole or not at all."""

import os
from pathlib import Path

import pandas as pd

from endoalign.corpus.validation import CorpusError


def write_parquet(table: pd.DataFrame, path: Path) -> None:
    """Write a table under a temporary name and rename it, making its folder at need."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _temporary(path)
    table.to_parquet(temporary, index=False)
    temporary.replace(path)


def write_text(text: str, path: Path) -> None:
    """Write UTF-8 text under a temporary name and rename it, making its folder at need."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _temporary(path)
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def read_parquet(path: Path, made_by: str) -> pd.DataFrame:
    """Read a table; raises `CorpusError`, with ``made_by``, where it is missing or damaged."""
    if not path.is_file():
        raise CorpusError(f"{path} is missing: {made_by}")
    try:
        return pd.read_parquet(path)
    except (OSError, ValueError) as error:
        raise CorpusError(f"{path} is no sound Parquet file ({error}): {made_by}") from error


def _temporary(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")
