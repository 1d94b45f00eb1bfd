"""Whoever mixes data sets is told which frames they have in common."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from endoalign.datasets.contents import Contents
from endoalign.datasets.fingerprints import fingerprints
from endoalign.datasets.near_duplicates import KINDS, Limits, near_duplicates

SUMMARY_COLUMNS: Final = ("kind", "pairs", "frames_a", "frames_b", "across")
_HOW: Final = {
    "file": "the same file",
    "pixels": "the same pixels",
    "perceptual": "nearly the same picture",
    "embedding": "very close in the embedding",
}


def summary(report: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each kind of near duplicate, those without any pair included.

    Args:
        report: of `near_duplicates`.

    Returns:
        ``kind``, ``pairs``, ``frames_a`` and ``frames_b`` (different frames of each data set), and
        ``across``: pairs of which one frame is for training and the other is not.
    """
    rows = []
    for kind in KINDS:
        of_kind = report[report["kind"] == kind]
        across = (of_kind["part_a"] == "train") != (of_kind["part_b"] == "train")
        rows.append(
            (
                kind,
                len(of_kind),
                of_kind["frame_a"].nunique(),
                of_kind["frame_b"].nunique(),
                int(across.sum()),
            )
        )
    return pd.DataFrame(rows, columns=list(SUMMARY_COLUMNS))


def warning_of(report: pd.DataFrame, name_a: str, name_b: str) -> str:
    """Return what has to be known before two data sets are mixed, nothing where they share none.

    Args:
        report: of `near_duplicates`.
        name_a: of the first data set.
        name_b: of the second.
    """
    found = summary(report)
    found = found[found["pairs"] > 0]
    if found.empty:
        return ""
    kinds = ", ".join(
        f"{row.pairs:,} {'pair' if row.pairs == 1 else 'pairs'} {_HOW[str(row.kind)]}"
        for row in found.itertuples()
    )
    frames_a, frames_b = report["frame_a"].nunique(), report["frame_b"].nunique()
    across = int(found["across"].sum())
    leak = (
        f" In {across:,} of them one frame is for training and the other is not: leave those out "
        "of the training set."
        if across
        else ""
    )
    return (
        f"Near duplicates: {frames_a:,} frames of {name_a} are in {name_b} as {frames_b:,} frames "
        f"({kinds}).{leak}"
    )


def left_out(contents: Contents, table: pd.DataFrame) -> str:
    """Return how many frames of a data set have no row in its `fingerprints`, nothing if none."""
    count = len(contents.frames) - len(table)
    if not count:
        return ""
    return (
        f"{contents.card.name}: {count:,} of {len(contents.frames):,} frames were not compared "
        "(inside a video, without a file, or not to be read)."
    )


def mixing_warnings(
    data_sets: Sequence[Contents],
    *,
    features: Mapping[str, NDArray[np.floating]] | None = None,
    limits: Limits | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[str]:
    """Return the warnings of all pairs of data sets that are to be mixed; empty where none share.

    Frames that could not be compared are warned of too.

    Args:
        data_sets: what adapters found.
        features: by the name of a data set, the embeddings of its frames in the order of
            `fingerprints`, (n, d); a pair is compared by them where both are given.
        limits: what counts as near.
        progress: gets (pictures done, pictures in all) of each data set in turn.

    Raises:
        ValueError: features that do not fit (`near_duplicates`).
    """
    features = features or {}
    tables = [(one.card.name, fingerprints(one, progress)) for one in data_sets]
    warnings = [left_out(one, table) for one, (_, table) in zip(data_sets, tables, strict=True)]
    for (name_a, a), (name_b, b) in combinations(tables, 2):
        both = name_a in features and name_b in features
        pair = (features[name_a], features[name_b]) if both else None
        report = near_duplicates(a, b, features=pair, limits=limits)
        warnings.append(warning_of(report, name_a, name_b))
    return [warning for warning in warnings if warning]
