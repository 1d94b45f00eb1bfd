"""Lists and tables in small text files, as different systems leave them."""

import codecs
import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from endoalign.corpus.csv_rows import DELIMITERS, csv_rows
from endoalign.corpus.rows import BadRow
from endoalign.datasets.problems import Problem, odd

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_text(path: Path) -> str:
    r"""Return the text of a file with ``\n`` line ends.

    Text is UTF-8, with or without its mark, or UTF-16, whose order is told from the mark or from
    where the zero bytes lie. Raises ValueError, naming the file, for anything else.
    """
    content = path.read_bytes()
    try:
        text = content.decode(_encoding(content))
    except UnicodeError as error:
        raise ValueError(f"{path}: not readable as UTF-8 or UTF-16 ({error})") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_lines(path: Path) -> list[tuple[int, str]]:
    """Return the lines that are not blank, stripped, with their numbers from 1 (`read_text`)."""
    lines = enumerate(read_text(path).split("\n"), start=1)
    return [(number, line.strip()) for number, line in lines if line.strip()]


def read_cells(
    path: Path, columns: Sequence[str], name: str
) -> tuple[list[tuple[int, dict[str, str]]], list[Problem]]:
    """Return the rows of a list without a header, whatever separates its cells.

    Args:
        path: of the file.
        columns: the names of its cells, in order.
        name: of the file in problems (its path relative to the root).

    Returns:
        Rows with their line numbers, and a problem for each line of another number of cells.
    """
    rows, problems = [], []
    for number, line in read_lines(path):
        cells = _cells(line, len(columns))
        if cells is None:
            right = ",".join(columns)
            problems.append(odd(f"{name}:{number}", f"line {line[:60]!r} is not {right}"))
        else:
            rows.append((number, dict(zip(columns, cells, strict=True))))
    return rows, problems


def read_table(
    path: Path, required: Sequence[str], name: str
) -> tuple[list[tuple[int, dict[str, str]]], list[Problem]]:
    """Return the rows of a CSV file with a header, separated by comma, semicolon, tab or bar.

    Args:
        path: of the file.
        required: columns it must have; the rows hold all it has, stripped of blanks.
        name: of the file in problems (its path relative to the root).

    Returns:
        Rows with their line numbers, and a problem for each line of another number of cells.

    Raises:
        ValueError: a missing column, broken quotes, or text that is not UTF-8 or UTF-16.
    """
    rows: list[tuple[int, dict[str, str]]] = []
    problems = []
    encoding = _encoding(path.read_bytes())
    try:
        for row in csv_rows(path, list(required), encoding):
            if isinstance(row, BadRow):
                problems.append(odd(f"{name}:{row.line}", row.reason))
            else:
                values = {key: str(value).strip() for key, value in row.values.items()}
                rows.append((row.line, values))
    except UnicodeError as error:
        raise ValueError(f"{path}: not readable as UTF-8 or UTF-16 ({error})") from None
    return rows, problems


def _cells(line: str, count: int) -> list[str] | None:
    for delimiter in DELIMITERS:
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter))]
        if len(cells) == count:
            return cells
    return None


def _encoding(content: bytes) -> str:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding
    head = content[:200]
    if head and head[1::2].count(0) > len(head) // 4:
        return "utf-16-le"
    if head and head[::2].count(0) > len(head) // 4:
        return "utf-16-be"
    return "utf-8"
