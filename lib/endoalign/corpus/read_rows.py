"""Rows of a CSV, JSONL or Parquet file, one by one."""

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from endoalign.corpus.csv_rows import csv_rows
from endoalign.corpus.rows import BadRow, IngestError, Row, check_columns

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_rows(path: Path, required: list[str], encoding: str = "") -> Iterator[Row | BadRow]:
    """Yield the rows of a file by its ending: .csv or .tsv, .jsonl or .ndjson, .parquet.

    CSV may be separated by comma, semicolon, tab or bar, whichever yields the ``required``
    columns. Text is UTF-8, or UTF-16 with its mark, unless ``encoding`` says otherwise. Raises
    `IngestError` for a missing or unreadable file and for a required column that is missing.
    """
    readers = {
        ".csv": csv_rows,
        ".tsv": csv_rows,
        ".jsonl": _jsonl_rows,
        ".ndjson": _jsonl_rows,
        ".parquet": _parquet_rows,
    }
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise IngestError(f"{path}: unknown ending; known: {', '.join(readers)}")
    if not path.is_file():
        raise IngestError(f"{path}: no such file")
    try:
        yield from reader(path, required, encoding or _marked_encoding(path))
    except UnicodeError as error:
        raise IngestError(
            f"{path}{_first_bad_line(path)}: not readable as {encoding or 'UTF-8'}; save it as "
            "UTF-8 or name its encoding, such as encoding: gb18030"
        ) from error
    except LookupError:
        raise IngestError(f"{path}: unknown encoding {encoding!r}") from None


def _marked_encoding(path: Path) -> str:
    with path.open("rb") as stream:
        head = stream.read(4)
    return next((name for mark, name in _MARKS if head.startswith(mark)), "utf-8")


def _first_bad_line(path: Path) -> str:
    """Return ``", line N"`` for the first line that is not UTF-8, nothing where all are."""
    with path.open("rb") as stream:
        for line, content in enumerate(stream, start=1):
            try:
                content.decode()
            except UnicodeError:
                return f", line {line}"
    return ""


def _jsonl_rows(path: Path, required: list[str], encoding: str) -> Iterator[Row | BadRow]:
    seen_columns = False
    with path.open(encoding=encoding) as stream:
        for line, content in enumerate(stream, start=1):
            if not content.strip():
                continue
            try:
                values = json.loads(content)
            except (ValueError, RecursionError) as error:
                yield BadRow(line, f"no JSON: {error}")
                continue
            if not isinstance(values, dict):
                yield BadRow(line, "a JSON value that is not an object of fields")
                continue
            if not _is_text(values):
                yield BadRow(line, "half a character (a lone surrogate) in a text")
                continue
            if not seen_columns:
                check_columns(path, required, list(values))
                seen_columns = True
            yield Row(line, values)


def _is_text(values: dict[str, object]) -> bool:
    try:
        json.dumps(values, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _parquet_rows(path: Path, required: list[str], _encoding: str) -> Iterator[Row | BadRow]:
    try:
        with pq.ParquetFile(path) as file:
            check_columns(path, required, file.schema_arrow.names)
            line = 0
            for batch in file.iter_batches(batch_size=1024):
                for values in batch.to_pylist():
                    line += 1
                    yield Row(line, values)
    except pa.ArrowException as error:
        raise IngestError(f"{path}: no sound Parquet file ({error})") from error
