"""Source: a folder of frames, usually a folder a case, and a file of reports."""

from pathlib import PurePosixPath

from endoalign.corpus.case_rows import list_reports
from endoalign.corpus.listing import FrameFile, LeftOut, Listing, files_under, is_frame
from endoalign.corpus.rows import IngestError
from endoalign.corpus.sources import FoldersSource


def list_folders(source: FoldersSource) -> Listing:
    """List the cases and frames of a folder source; raises `IngestError` where it is empty."""
    listing = Listing()
    if source.reports is not None:
        list_reports(listing, source.reports, source.report_columns, source)
    if source.frames is not None:
        _list_frames(listing, source)
        if not listing.frames:
            raise IngestError(
                f"{source.frames}: no frames among its {listing.ignored} files; frames end in "
                ".jpg, .png, .tif, .bmp, .webp, .gif, .jp2, .ppm or .pgm"
            )
    return listing


def _list_frames(listing: Listing, source: FoldersSource) -> None:
    assert source.frames is not None
    owners: dict[str, str] = {}
    for path in files_under(source.frames):
        if not is_frame(path):
            listing.ignored += 1
        elif not _is_utf8(path):
            shown = path.encode("utf-8", "backslashreplace").decode()
            listing.left_out.append(LeftOut(shown, None, "file name is not UTF-8"))
        else:
            case_id = source.case_prefix + _case_of(path, source)
            other = owners.setdefault(case_id, path)
            if source.case_from != "parent" and other != path:
                raise IngestError(
                    f"{source.frames}: {other} and {path} would both be case {case_id!r}; rename "
                    "one, or let case_from be 'path' or 'parent'"
                )
            listing.frames.append(FrameFile(case_id, path))


def _is_utf8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _case_of(path: str, source: FoldersSource) -> str:
    """Return the case a frame belongs to; frames at the root itself have the source's name."""
    file = PurePosixPath(path)
    if source.case_from == "stem":
        return file.stem
    if source.case_from == "path":
        return file.with_suffix("").as_posix()
    parent = file.parent.as_posix()
    return source.name if parent == "." else parent
