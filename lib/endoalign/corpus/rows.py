"""A row of a file of reports or frames, with the line it came from."""

from dataclasses import dataclass
from pathlib import Path

from endoalign.corpus.validation import CorpusError, nearest


class IngestError(CorpusError):
    """Input that cannot be ingested; the message names the file, the line or column, and a way."""


@dataclass(frozen=True)
class Row:
    """``values`` by column name; ``line`` counts from 1 (Parquet: rows from 1)."""

    line: int
    values: dict[str, object]


@dataclass(frozen=True)
class BadRow:
    """A line that is no row, and why."""

    line: int
    reason: str


def check_columns(path: Path, required: list[str], found: list[str]) -> None:
    """Raise `IngestError` for the first required column that the file lacks."""
    for name in required:
        if name not in found:
            raise IngestError(
                f"{path}: column {name!r} is missing{nearest(name, found)}; "
                f"columns found: {', '.join(found) or 'none'}"
            )
