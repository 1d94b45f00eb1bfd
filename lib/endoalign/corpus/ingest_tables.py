"""Source: a table of frames and a table of reports."""

from endoalign.corpus.case_rows import RowError, identifier, list_reports, refuse_row
from endoalign.corpus.listing import FrameFile, Listing, inside
from endoalign.corpus.read_rows import read_rows
from endoalign.corpus.rows import BadRow, IngestError, Row
from endoalign.corpus.sources import TablesSource


def list_tables(source: TablesSource) -> Listing:
    """List the cases and frames of two tables; raises `IngestError` where no frame is listed."""
    listing = Listing()
    if source.reports is not None:
        list_reports(listing, source.reports, source.report_columns, source)
    columns, seen = source.frame_columns, set[str]()
    for row in read_rows(source.frames, [columns.path, columns.case_id], source.encoding):
        try:
            frame = _frame_of(row, source)
            if frame.path in seen:
                raise RowError(f"{frame.path!r} is listed twice")
        except RowError as error:
            refuse_row(listing, source.frames, row.line, str(error), source)
        else:
            seen.add(frame.path)
            listing.frames.append(frame)
    if not listing.frames:
        raise IngestError(f"{source.frames}: lists no frame")
    return listing


def _frame_of(row: Row | BadRow, source: TablesSource) -> FrameFile:
    if isinstance(row, BadRow):
        raise RowError(row.reason)
    columns = source.frame_columns
    case_id = identifier(row.values.get(columns.case_id), columns.case_id)
    given = identifier(row.values.get(columns.path), columns.path)
    path = inside(source.root, given)
    if path is None:
        raise RowError(f"{given!r} lies outside the frame root {source.root}")
    return FrameFile(source.case_prefix + case_id, path)
