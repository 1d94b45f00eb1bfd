"""Exact and near duplicates among many frames, without comparing all with all."""

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Final, Literal

from endoalign.frames.hashing import DEGENERATE, PHASH_BITS, hamming

MAX_DISTANCE: Final = 15
"""Beyond it the bands of the index are too short to tell frames apart."""

Scope = Literal["case", "corpus"]


def mark_duplicates(
    frame_ids: Sequence[str],
    case_ids: Sequence[str],
    sha256s: Sequence[str],
    phashes: Sequence[str],
    *,
    max_distance: int = 4,
    within: Scope = "case",
) -> list[str | None]:
    """Return for each frame the id of the frame it duplicates, `None` for those to keep.

    Frames are taken in the sorted order of their ids. A frame duplicates the first kept frame

    - of the same bytes (``sha256s``), in the whole corpus: a frame filed twice under two cases
      would otherwise leak between splits; or else
    - whose perceptual hash (``phashes``, 16 hexadecimal digits) differs in at most
      ``max_distance`` bits, in the same case or in the whole ``corpus``.

    A frame so named is always itself kept: a slow pan is thinned out, not chained into one.
    Frames without structure (`DEGENERATE`) are only compared by their bytes. Memory is linear in
    the number of frames. Raises ValueError for lengths that differ, an id given twice, or a
    distance outside 0..15.
    """
    columns = (frame_ids, case_ids, sha256s, phashes)
    if len({len(column) for column in columns}) > 1:
        raise ValueError(f"columns differ in length: {[len(column) for column in columns]}")
    if len(set(frame_ids)) < len(frame_ids):
        raise ValueError("a frame id is given twice")
    if not 0 <= max_distance <= MAX_DISTANCE:
        raise ValueError(f"max_distance is {max_distance}, not within 0..{MAX_DISTANCE}")
    first_of_bytes: dict[str, str] = {}
    kept = _KeptFrames(max_distance)
    found: list[str | None] = [None] * len(frame_ids)
    for place in sorted(range(len(frame_ids)), key=frame_ids.__getitem__):
        frame_id, value = frame_ids[place], int(phashes[place], 16)
        scope = case_ids[place] if within == "case" else None
        original = first_of_bytes.get(sha256s[place])
        if original is None and value != DEGENERATE:
            original = kept.nearest_first(value, scope)
            if original is None:
                kept.add(frame_id, value, scope)
        first_of_bytes.setdefault(sha256s[place], original or frame_id)
        found[place] = original
    return found


class _KeptFrames:
    """Index of perceptual hashes by bands of their bits.

    Two hashes that differ in at most d bits agree in at least one of d + 1 bands, so only kept
    frames that share a band are compared. Kept frames lie further than d bits apart, which keeps
    bands short even where thousands of frames look alike.
    """

    def __init__(self, max_distance: int) -> None:
        self._max_distance = max_distance
        edges = [PHASH_BITS * k // (max_distance + 1) for k in range(max_distance + 2)]
        self._bands = [(low, (1 << (high - low)) - 1) for low, high in pairwise(edges)]
        self._index: dict[Hashable, list[tuple[int, int]]] = {}
        self._ids: list[str] = []

    def add(self, frame_id: str, value: int, scope: str | None) -> None:
        entry = (len(self._ids), value)
        self._ids.append(frame_id)
        for key in self._keys(value, scope):
            self._index.setdefault(key, []).append(entry)

    def nearest_first(self, value: int, scope: str | None) -> str | None:
        """Return the id of the first frame within the distance, `None` where there is none."""
        first = len(self._ids)
        for key in self._keys(value, scope):
            for order, other in self._index.get(key, ()):
                if order >= first:
                    break
                if hamming(value, other) <= self._max_distance:
                    first = order
        return self._ids[first] if first < len(self._ids) else None

    def _keys(self, value: int, scope: str | None) -> list[Hashable]:
        return [(scope, band, value >> low & mask) for band, (low, mask) in enumerate(self._bands)]
