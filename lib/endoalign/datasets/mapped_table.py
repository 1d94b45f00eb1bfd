"""Tables whose columns are named by the user, because nobody has published their names."""

import math
from collections.abc import Mapping
from pathlib import Path

from endoalign.corpus.read_rows import read_rows
from endoalign.corpus.rows import BadRow
from endoalign.corpus.validation import nearest
from endoalign.datasets.problems import Problem, odd
from endoalign.datasets.text_files import read_table

Rows = list[tuple[int, dict[str, str]]]


def read_mapped(
    root: Path, table: str, columns: Mapping[str, str | None], option: str
) -> tuple[Rows, list[Problem]]:
    """Return the rows of a table under our own names of its columns.

    Args:
        root: of the data set.
        table: path of a CSV, TSV, JSONL or Parquet file, relative to ``root``.
        columns: column of the table by our name; `None` for what the table does not have.
        option: name of the option that holds ``columns``, for messages.

    Returns:
        Rows with their lines, cells stripped and as text (empty where there is no value), and a
        problem for each broken line.

    Raises:
        ValueError: no such table, one without rows, or without a column of the mapping; names
            every missed column, the key that asks for it, and the nearest column there is.
    """
    path = root / table
    if not path.is_file():
        raise ValueError(f"{path}: no such table; the option naming it says where it is in {root}")
    rows, problems = _all_columns(path, table)
    if not rows:
        raise ValueError(f"{path}: holds no row")
    found = list(rows[0][1])
    missed = [
        f"{name!r} (of {option}.{key}{nearest(name, found)})"
        for key, name in columns.items()
        if name is not None and name not in found
    ]
    if missed:
        raise ValueError(
            f"{path}: misses column {', '.join(missed)}; columns found: {', '.join(found)}. Name "
            f"the right one in {option}, or null where the table has none"
        )
    named = {key: name for key, name in columns.items() if name is not None}
    return [
        (line, {key: row.get(name, "") for key, name in named.items()}) for line, row in rows
    ], problems


def _all_columns(path: Path, table: str) -> tuple[Rows, list[Problem]]:
    if path.suffix.lower() in (".csv", ".tsv", ".txt"):
        return read_table(path, [], table)
    rows: Rows = []
    problems = []
    for row in read_rows(path, []):
        if isinstance(row, BadRow):
            problems.append(odd(f"{table}:{row.line}", row.reason))
        else:
            rows.append((row.line, {key: _text(value) for key, value in row.values.items()}))
    return rows, problems


def _text(value: object) -> str:
    """Return a value as a CSV has it: lists joined by semicolons, nothing for null."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return ";".join(map(str, value)) if isinstance(value, list) else str(value).strip()
