"""The listings of several sources become one corpus."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from endoalign.corpus.case_rows import case_row
from endoalign.corpus.frame_rows import listed_frames
from endoalign.corpus.listing import Listing
from endoalign.corpus.manifest import stored_path
from endoalign.corpus.rows import IngestError
from endoalign.corpus.schemas import CASES, REJECTED
from endoalign.corpus.sources import Source
from endoalign.corpus.splits import divided


def distinct(sources: Sequence[Source]) -> Sequence[Source]:
    """Return the sources; raises `IngestError` where there is none or two share a name."""
    names = [source.name for source in sources]
    if not names:
        raise IngestError("no source given")
    for name in names:
        if names.count(name) > 1:
            raise IngestError(f"two sources are named {name!r}; give each its own name")
    return sources


def check_cases(listings: dict[str, Listing]) -> None:
    """Refuse a case id that two sources share: their frames and reports would be mixed.

    Raises `IngestError` with both sources' names.
    """
    owner: dict[str, str] = {}
    for name, listing in listings.items():
        for case_id in sorted({*listing.cases, *(frame.case_id for frame in listing.frames)}):
            if owner.setdefault(case_id, name) != name:
                raise IngestError(
                    f"case {case_id!r} comes from both {owner[case_id]!r} and {name!r}; "
                    "set case_prefix on one of them"
                )


def listed_files(listings: dict[str, Listing], roots: dict[str, Path]) -> pd.DataFrame:
    """Return the frame files of all sources, as `listed_frames` describes; roots by source."""
    rows = [
        (
            frame.case_id,
            frame.path,
            stored_path(frame.path, name, len(roots)),
            str(roots[name].resolve() / frame.path),
        )
        for name, listing in listings.items()
        for frame in listing.frames
    ]
    case_ids, paths, stored, files = zip(*rows, strict=True) if rows else ((), (), (), ())
    return listed_frames(case_ids, paths, stored, files)


def all_cases(sources: Sequence[Source], listings: dict[str, Listing]) -> pd.DataFrame:
    """Return the cases table: those with a report, and those known only by their frames.

    Raises:
        IngestError: a patient has cases in several splits.
    """
    rows: dict[str, dict[str, object]] = {}
    for source in sources:
        listing = listings[source.name]
        rows |= listing.cases
        for frame in listing.frames:
            if frame.case_id not in rows:
                rows[frame.case_id] = case_row(frame.case_id, "", source)
    return divided(
        pd.DataFrame([rows[case_id] for case_id in sorted(rows)], columns=list(CASES.columns))
    )


def all_rejected(listings: dict[str, Listing], unreadable: pd.DataFrame) -> pd.DataFrame:
    """Return the rejected table: rows left out by the sources, and files that are no frames."""
    bad_rows = [
        (left.path, left.case_id, left.reason)
        for listing in listings.values()
        for left in listing.left_out
    ]
    columns = list(REJECTED.columns)
    table = pd.concat([pd.DataFrame(bad_rows, columns=columns, dtype=object), unreadable])
    return table.sort_values(["path", "reason"], kind="stable").reset_index(drop=True)
