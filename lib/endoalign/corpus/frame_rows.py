"""Rows of the frames table, from listed files and their measures."""

from collections.abc import Sequence

import pandas as pd
import pyarrow as pa

from endoalign.corpus.naming import frame_names, natural_key
from endoalign.corpus.schemas import FRAMES
from endoalign.frames.duplicates import Scope, mark_duplicates


def listed_frames(
    case_ids: Sequence[str], paths: Sequence[str], stored: Sequence[str], files: Sequence[str]
) -> pd.DataFrame:
    """Return listed files with their ids and order.

    Args:
        case_ids: the case of each file.
        paths: path of each file relative to its frame root.
        stored: path of each file as the tables hold it.
        files: absolute path of each file, by which its measures are found.

    Returns:
        Columns ``frame_id``, ``case_id``, ``path`` and ``file``; sorted by case, and within a
        case by the natural order of the paths.
    """
    by_case: dict[str, list[int]] = {}
    for place, case_id in enumerate(case_ids):
        by_case.setdefault(case_id, []).append(place)
    order: list[int] = []
    ids: list[str] = []
    for case_id in sorted(by_case):
        places = sorted(by_case[case_id], key=lambda place: natural_key(stored[place]))
        order += places
        ids += [f"{case_id}/{name}" for name in frame_names([paths[place] for place in places])]
    return pd.DataFrame(
        {
            "frame_id": pd.Series(ids, dtype=str),
            "case_id": pd.Series([case_ids[place] for place in order], dtype=str),
            "path": pd.Series([stored[place] for place in order], dtype=str),
            "file": pd.Series([files[place] for place in order], dtype=str),
        }
    )


def frame_rows(
    listed: pd.DataFrame, measured: pa.Table, *, max_distance: int, within: Scope
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the frames table, and the files left out with ``path``, ``case_id`` and ``reason``.

    ``measured`` is the table of a scan over the listed files. ``index`` counts the readable
    frames of a case; duplicates are marked as `mark_duplicates` says.
    """
    rows = listed.merge(measured.to_pandas(), on="file", how="left", validate="m:1")
    unreadable = rows["reason"].notna()
    left_out = rows.loc[unreadable, ["path", "case_id", "reason"]]
    frames = rows.loc[~unreadable].reset_index(drop=True)
    frames["index"] = frames.groupby("case_id").cumcount()
    frames["duplicate_of"] = pd.Series(
        mark_duplicates(
            frames["frame_id"].tolist(),
            frames["case_id"].tolist(),
            frames["sha256"].tolist(),
            frames["phash"].tolist(),
            max_distance=max_distance,
            within=within,
        ),
        dtype=str,
    )
    frames["retained"] = pd.Series(pd.NA, index=frames.index, dtype="boolean")
    return frames[list(FRAMES.columns)], left_out
