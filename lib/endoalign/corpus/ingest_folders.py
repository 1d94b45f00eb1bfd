"""Source: a folder of frames, usually a folder a case, and a file of reports."""

from pathlib import PurePosixPath

from endoalign.corpus.case_rows import list_reports
from endoalign.corpus.listing import FrameFile, Listing, files_under, is_frame
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
    for path in files_under(source.frames):
        if is_frame(path):
            case_id = source.case_prefix + _case_of(path, source)
            listing.frames.append(FrameFile(case_id, path))
        else:
            listing.ignored += 1


def _case_of(path: str, source: FoldersSource) -> str:
    """Return the case a frame belongs to; frames at the root itself have the source's name."""
    file = PurePosixPath(path)
    if source.case_from == "stem":
        return file.stem
    if source.case_from == "path":
        return file.with_suffix("").as_posix()
    parent = file.parent.as_posix()
    return source.name if parent == "." else parent
