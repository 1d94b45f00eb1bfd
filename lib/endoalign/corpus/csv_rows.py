"""Rows of a CSV file, whatever separates its cells."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from endoalign.corpus.rows import BadRow, IngestError, Row, check_columns

csv.field_size_limit(16 * 2**20)  # characters of one report; Python's own limit is 131,072
DELIMITERS: Final = (",", ";", "\t", "|")


def csv_rows(path: Path, required: list[str], encoding: str) -> Iterator[Row | BadRow]:
    """Yield the rows of a CSV file whose first line names the columns.

    The delimiter is the one of `DELIMITERS` under which the header holds the ``required``
    columns. A line with too few or too many cells is a `BadRow`. Raises `IngestError` for a missing
    column, and for broken quotes: where the next row begins is then unknown, and the rest of a
    report must not be taken for cases.
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
                raise _lost(path, line, reader.line_num, str(error)) from None
            if not cells:
                continue
            if len(cells) == len(columns):
                yield Row(line, dict(zip(columns, cells, strict=True)))
            elif reader.line_num > line:
                raise _lost(path, line, reader.line_num, f"{len(cells)} cells, not {len(columns)}")
            else:
                yield BadRow(line, f"{len(cells)} cells where the header has {len(columns)}")


def _lost(path: Path, first: int, last: int, why: str) -> IngestError:
    return IngestError(
        f"{path}, lines {first} to {last}: broken quotes ({why}); put the text in quotes and "
        "double every quote inside it"
    )


def _delimiter(header: str, required: list[str]) -> str:
    """Return the delimiter under which the header has most of the required columns, then most."""

    def found(delimiter: str) -> tuple[int, int]:
        columns = [name.strip() for name in next(csv.reader([header], delimiter=delimiter), [])]
        return len(set(required) & set(columns)), len(columns)

    return max(DELIMITERS, key=found)
