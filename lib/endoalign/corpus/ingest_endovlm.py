"""Source: EndoVLM's JSONL, one examination a line."""

from typing import Final

from endoalign.corpus.case_rows import (
    RowError,
    case_row,
    exam_type_of,
    identifier,
    refuse_row,
)
from endoalign.corpus.listing import FrameFile, LeftOut, Listing, files_under, inside, is_frame
from endoalign.corpus.read_rows import read_rows
from endoalign.corpus.rows import BadRow, IngestError, Row
from endoalign.corpus.sources import EndoVLMSource
from endoalign.vocabulary import COLON_REGIONS, UPPER_REGIONS

SITES: Final = {"gastroscopy": len(UPPER_REGIONS), "colonoscopy": len(COLON_REGIONS)}
"""Number of abnormality flags, one a site."""


def list_endovlm(source: EndoVLMSource) -> Listing:
    """List the cases and frames of EndoVLM's JSONL.

    Fields: ``id``, ``modality`` ("colonscopy" is accepted), ``image_path`` (folder of the
    examination), the report field of the source, ``valid_image_paths`` (paths from the frame
    root or from ``image_path``; null: every frame in ``image_path``) and, where present,
    ``site_abnormality_flags`` (8 or 9 of 0 and 1, checked and not kept: they are labels, not
    input). Raises `IngestError` like the other sources.
    """
    listing, seen = Listing(), dict[str, int]()
    required = ["id", "modality", "image_path", source.report_field, "valid_image_paths"]
    for row in read_rows(source.jsonl, required, source.encoding):
        try:
            case = _case_of(row, source)
            case_id = str(case["case_id"])
            if case_id in seen:
                raise RowError(f"id {case_id!r} repeats that of line {seen[case_id]}")
            paths = _image_paths(row, source)
        except RowError as error:
            refuse_row(listing, source.jsonl, row.line, str(error), source)
        else:
            seen[case_id] = row.line
            listing.cases[case_id] = case
            _add_frames(listing, case_id, paths, source)
    if not listing.cases:
        raise IngestError(f"{source.jsonl}: holds no examination")
    return listing


def _case_of(row: Row | BadRow, source: EndoVLMSource) -> dict[str, object]:
    if isinstance(row, BadRow):
        raise RowError(row.reason)
    text = row.values.get(source.report_field)
    if not isinstance(text, str):
        raise RowError(f"{source.report_field} is {text!r}, not a text")
    case_id = source.case_prefix + identifier(row.values.get("id"), "id")
    exam_type = exam_type_of(identifier(row.values.get("modality"), "modality"))
    _check_flags(row.values.get("site_abnormality_flags"), exam_type)
    return case_row(case_id, text, source) | {"exam_type": exam_type}


def _check_flags(flags: object, exam_type: str) -> None:
    if flags is None:
        return
    expected = SITES.get(exam_type)
    if not isinstance(flags, list) or len(flags) != expected or any(f not in (0, 1) for f in flags):
        raise RowError(
            f"site_abnormality_flags is {flags!r}, not {expected} of 0 and 1 for {exam_type}"
        )


def _image_paths(row: Row | BadRow, source: EndoVLMSource) -> list[str]:
    """Return the paths a row lists, from the frame root."""
    assert isinstance(row, Row)
    folder, paths = row.values.get("image_path"), row.values.get("valid_image_paths")
    if not isinstance(folder, str):
        raise RowError(f"image_path is {folder!r}, not a path")
    if paths is None:
        base = inside(source.frames, folder)
        if base is None or not (source.frames / base).is_dir():
            raise RowError(f"image_path {folder!r} is no folder in the frame root")
        return [f"{base}/{path}" for path in files_under(source.frames / base) if is_frame(path)]
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        raise RowError(f"valid_image_paths is {paths!r}, not a list of paths")
    return [_from_root(path, folder, source) for path in paths]


def _from_root(path: str, folder: str, source: EndoVLMSource) -> str:
    """Return a path as listed if the root has it, else below the examination's folder if there."""
    below = f"{folder}/{path}"
    exists = (source.frames / path).is_file() or not (source.frames / below).is_file()
    return path if exists else below


def _add_frames(listing: Listing, case_id: str, paths: list[str], source: EndoVLMSource) -> None:
    for given in dict.fromkeys(paths):
        path = inside(source.frames, given)
        if path is None:
            listing.left_out.append(LeftOut(given, case_id, "outside the frame root"))
        else:
            listing.frames.append(FrameFile(case_id, path))
