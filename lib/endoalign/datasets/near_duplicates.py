"""Frames that two data sets have in common: the same file, the same pixels, or nearly so."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from endoalign.frames.hashing import DEGENERATE, PHASH_BITS

KINDS: Final = ("file", "pixels", "perceptual", "embedding")
"""How a pair was found, the surest first; a pair is listed once, under the first that finds it."""
COLUMNS: Final = ("frame_a", "frame_b", "kind", "distance", "part_a", "part_b")
MAX_DISTANCE: Final = 4
"""Bits of 64 in which perceptual hashes of the same picture, kept or scaled anew, may differ.

Among 420 frames of Kvasir-SEG no two are as near as that; with 8 bits 57 pairs would be.
"""
MIN_COSINE: Final = 0.98
_BLOCK: Final = 512  # frames of A compared at once with all of B: some megabytes
_ROUNDING: Final = 1e-6  # of a cosine of float32

Features = tuple[NDArray[np.floating], NDArray[np.floating]]
Found = Iterator[tuple[int, int, float]]
"""Rows of A and of B, and their distance."""


@dataclass(frozen=True)
class Limits:
    """From where on two frames are near duplicates.

    Attributes:
        max_distance: bits in which perceptual hashes may differ, 0 to 64.
        min_cosine: least cosine of two embeddings; what is near depends on the encoder.
    """

    max_distance: int = MAX_DISTANCE
    min_cosine: float = MIN_COSINE

    def __post_init__(self) -> None:
        if not 0 <= self.max_distance <= PHASH_BITS:
            raise ValueError(f"max_distance is {self.max_distance}, not within 0..{PHASH_BITS}")
        if not -1 <= self.min_cosine <= 1:
            raise ValueError(f"min_cosine is {self.min_cosine}, not within -1..1")


def near_duplicates(
    a: pd.DataFrame,
    b: pd.DataFrame,
    *,
    features: Features | None = None,
    limits: Limits | None = None,
) -> pd.DataFrame:
    """Return the pairs of near duplicates between two tables of `fingerprints`.

    All are compared with all, in blocks: memory grows with the number of frames, time with the
    product. A frame is never its own duplicate, so a table may be held against itself; each pair
    is then listed once. Frames of one lesion from another angle are not found by any of this.

    Args:
        a: fingerprints of a data set.
        b: fingerprints of another.
        features: embeddings of the frames of ``a``, (n_a, d), and of ``b``, (n_b, d), row by row;
            they need not be of norm 1. Without them no pair is of the kind ``embedding``.
        limits: what counts as near.

    Returns:
        `COLUMNS`, sorted by kind, distance and frames. ``distance`` is 0 for ``file`` and
        ``pixels``, bits for ``perceptual``, 1 - cosine for ``embedding``; ``part_a`` and ``part_b``
        are the splits of the frames.

    Raises:
        ValueError: features of other shapes, or a row of them that is not finite or all 0.
    """
    limits = limits or Limits()
    pairs: dict[tuple[int, int], tuple[int, float]] = {}
    for order, found in enumerate(_searches(a, b, features, limits)):
        for i, j, distance in found:
            pairs.setdefault((i, j), (order, distance))
    same = set(a["frame_id"]) & set(b["frame_id"])
    ids_a, ids_b = list(a["frame_id"]), list(b["frame_id"])
    rows = [
        (order, distance, ids_a[i], ids_b[j], i, j)
        for (i, j), (order, distance) in pairs.items()
        if not (ids_a[i] in same and ids_b[j] in same and ids_a[i] >= ids_b[j])
    ]
    rows.sort()
    return pd.DataFrame(
        {
            "frame_a": [row[2] for row in rows],
            "frame_b": [row[3] for row in rows],
            "kind": [KINDS[row[0]] for row in rows],
            "distance": np.array([row[1] for row in rows], dtype=np.float64),
            "part_a": [a["part"].iloc[row[4]] for row in rows],
            "part_b": [b["part"].iloc[row[5]] for row in rows],
        },
        columns=list(COLUMNS),
    )


def _searches(
    a: pd.DataFrame, b: pd.DataFrame, features: Features | None, limits: Limits
) -> Iterator[Found]:
    """Yield the pairs of rows that each of `KINDS` finds, with their distances."""
    yield _equal(a["sha256"], b["sha256"])
    yield _equal(a["pixels"], b["pixels"])
    yield _alike(a["phash"].to_numpy(), b["phash"].to_numpy(), limits.max_distance)
    if features is not None:
        yield _close(_unit(features[0], len(a)), _unit(features[1], len(b)), limits.min_cosine)


def _equal(a: pd.Series, b: pd.Series) -> Found:
    places: dict[str, list[int]] = {}
    for j, value in enumerate(b):
        places.setdefault(value, []).append(j)
    for i, value in enumerate(a):
        for j in places.get(value, ()):
            yield i, j, 0.0


def _alike(a: NDArray[np.uint64], b: NDArray[np.uint64], max_distance: int) -> Found:
    """Yield pairs of hashes within the distance; frames without structure resemble nothing."""
    told_a, told_b = a != DEGENERATE, b != DEGENERATE
    for start in range(0, len(a), _BLOCK):
        block = slice(start, start + _BLOCK)
        bits = np.bitwise_count(a[block, None] ^ b[None, :])
        near = (bits <= max_distance) & told_a[block, None] & told_b[None, :]
        for i, j in np.argwhere(near):
            yield start + int(i), int(j), float(bits[i, j])


def _close(a: NDArray[np.float32], b: NDArray[np.float32], min_cosine: float) -> Found:
    for start in range(0, len(a), _BLOCK):
        cosine = a[start : start + _BLOCK] @ b.T
        for i, j in np.argwhere(cosine >= min_cosine - _ROUNDING):
            yield start + int(i), int(j), max(0.0, 1.0 - float(cosine[i, j]))


def _unit(features: NDArray[np.floating], count: int) -> NDArray[np.float32]:
    if features.ndim != 2 or len(features) != count:
        raise ValueError(f"features of shape {features.shape}, not ({count}, d): one row a frame")
    norms = np.linalg.norm(features, axis=1, keepdims=True)
    bad = np.flatnonzero(~np.isfinite(norms[:, 0]) | (norms[:, 0] == 0))
    if len(bad):
        raise ValueError(f"features: row {bad[0]} is not finite, or all 0")
    return np.asarray(features / norms, dtype=np.float32)
