"""Rows of a CSV file, whatever separates its cells."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from endoalign.corpus.rows import BadRow, Row, check_columns

DELIMITERS: Final = (",", ";", "\t", "|")


def csv_rows(path: Path, required: list[str], encoding: str) -> Iterator[Row | BadRow]:
    """Yield the rows of a CSV file whose first line names the columns.

    The delimiter is the one of `DELIMITERS` under which the header holds the ``required``
    columns. A row with too few or too many cells, or with broken quotes, is a `BadRow`. Raises
    `IngestError` for a missing column.
    """
    with path.open(encoding=encoding, newline="") as stream:
        header = stream.readline()
        stream.seek(0)
        reader = csv.reader(stream, delimiter=_delimiter(header, required), strict=True)
        columns = [name.strip() for name in next(reader, [])]
        check_columns(path, required, columns)
        while True:
            line = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield BadRow(line, f"broken row: {error}")
                continue
            if not cells:
                continue
            if len(cells) == len(columns):
                yield Row(line, dict(zip(columns, cells, strict=True)))
            else:
                yield BadRow(line, f"{len(cells)} cells where the header has {len(columns)}")


def _delimiter(header: str, required: list[str]) -> str:
    """Return the delimiter under which the header has most of the required columns, then most."""

    def found(delimiter: str) -> tuple[int, int]:
        columns = [name.strip() for name in next(csv.reader([header], delimiter=delimiter), [])]
        return len(set(required) & set(columns)), len(columns)

    return max(DELIMITERS, key=found)
