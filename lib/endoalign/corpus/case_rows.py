"""Rows of the cases table, from reports with a column mapping and a source's defaults."""

import math
from pathlib import Path

from endoalign.corpus.language import language_of
from endoalign.corpus.listing import LeftOut, Listing
from endoalign.corpus.read_rows import read_rows
from endoalign.corpus.rows import BadRow, IngestError, Row
from endoalign.corpus.sources import VALUES, ReportColumns, Source
from endoalign.vocabulary import EXAM_TYPES

EXAM_ALIASES = {
    "colonscopy": "colonoscopy",  # as EndoVLM's files spell it
    "lower gi": "colonoscopy",
    "upper gi": "gastroscopy",
    "egd": "gastroscopy",
    "esophagogastroduodenoscopy": "gastroscopy",
    "laryngoscopy": "ent",
}


class RowError(ValueError):
    """A row that makes no case; the message is the reason."""


def list_reports(listing: Listing, path: Path, columns: ReportColumns, source: Source) -> None:
    """Add the cases of a file of reports to ``listing``.

    Broken rows, rows without a case id or text, and repeated case ids raise `IngestError` with
    the line, or are recorded as left out, as the source's ``on_bad_row`` says.
    """
    lines: dict[str, int] = {}
    for row in read_rows(path, [columns.case_id, columns.report_text], source.encoding):
        try:
            case = _case_of(row, columns, source)
            first = lines.setdefault(str(case["case_id"]), row.line)
            if first != row.line:
                raise RowError(f"case_id {case['case_id']!r} repeats that of line {first}")
        except RowError as error:
            refuse_row(listing, path, row.line, str(error), source)
        else:
            listing.cases[str(case["case_id"])] = case


def refuse_row(listing: Listing, path: Path, line: int, reason: str, source: Source) -> None:
    """Stop at a bad row, or record it as left out, as the source says."""
    if source.on_bad_row == "raise":
        raise IngestError(
            f"{path}, line {line}: {reason} (on_bad_row: record would leave it out and count it)"
        )
    listing.left_out.append(LeftOut(f"{path.name}:{line}", None, reason))


def case_row(case_id: str, report_text: str, source: Source) -> dict[str, object]:
    """Return a case filled from the source's defaults; each case is a patient of its own."""
    return {
        "case_id": case_id,
        "patient_id": case_id,
        "exam_type": source.exam_type,
        "split": source.split,
        "source": source.name,
        "language": source.language or language_of(report_text),
        "report_text": report_text,
        "eligible": None,
        "reason": None,
    }


def identifier(value: object, column: str) -> str:
    """Return an id as text: texts stripped, whole numbers as digits; raises `RowError`."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise RowError(f"{column} is {value!r}, not a text or a whole number")
    return str(value).strip()


def exam_type_of(value: str) -> str:
    """Return the exam type a text names, alias or not; raises `RowError`."""
    name = value.strip().lower()
    name = EXAM_ALIASES.get(name, name)
    if name not in EXAM_TYPES:
        raise RowError(f"exam type {value!r} is not one of {', '.join(EXAM_TYPES)}")
    return name


def _case_of(row: Row | BadRow, columns: ReportColumns, source: Source) -> dict[str, object]:
    if isinstance(row, BadRow):
        raise RowError(row.reason)
    case_id = identifier(row.values.get(columns.case_id), columns.case_id)
    text = row.values.get(columns.report_text)
    if not isinstance(text, str):
        raise RowError(f"{columns.report_text} is {text!r}, not a text")
    case = case_row(source.case_prefix + case_id, text, source)
    for field in ("patient_id", "exam_type", "split", "source", "language"):
        column = getattr(columns, field)
        value = row.values.get(column)
        if _given(value):
            case[field] = _stated(field, identifier(value, column))
    return case


def _given(value: object) -> bool:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return False
    return str(value).strip() != ""


def _stated(field: str, value: str) -> str:
    if field == "exam_type":
        return exam_type_of(value)
    if field in VALUES and value not in VALUES[field]:
        raise RowError(f"{field} {value!r} is not one of {', '.join(VALUES[field])}")
    return value
