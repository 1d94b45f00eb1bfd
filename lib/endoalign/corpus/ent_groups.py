"""Groups of pictures that belong together.

Frames of one examination look alike; on both sides of a split they would make a test easy. ENTRep's
first release names the examination in the file name, its challenge files are named at random: there
pictures that look alike (perceptual hash) make a group.
"""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

import numpy as np
from numpy.typing import NDArray

from endoalign.frames.hashing import DEGENERATE, PHASH_BITS

EXAMINATION: Final = r"(?i)^(?P<examination>.+?)[_-]image[_-]?\d+$"
"""Examination in the stem of a file name such as ``0123456_010203_image01.png``."""
MAX_DISTANCE: Final = 10
"""Bits of a 64-bit perceptual hash in which pictures of one group may differ, by default."""
_BLOCK: Final = 512


def picture_groups(
    names: Sequence[str],
    phashes: Sequence[str],
    *,
    pattern: str = EXAMINATION,
    max_distance: int = MAX_DISTANCE,
) -> list[str]:
    """The group of each picture: its examination, or the pictures that it looks like.

    A picture whose file name tells no examination joins those, of either kind, from which its hash
    differs in at most ``max_distance`` bits, and through them others: groups are the connected
    parts. Examinations linked in this way become one group, as a picture filed under two of them
    would otherwise leak.

    Args:
        names: file names or paths, ``/`` between folders.
        phashes: 16 hexadecimal digits each; pictures without structure are like no other.
        pattern: regular expression on the stem with a group called ``examination``.

    Returns:
        A group a picture, named after its examination, or after the first picture in it.

    Raises:
        ValueError: lengths differ, the pattern has no group ``examination``, a hash is damaged or
            the distance is outside 0 to 64.
    """
    if len(names) != len(phashes):
        raise ValueError(f"{len(names)} names for {len(phashes)} perceptual hashes")
    if not 0 <= max_distance <= PHASH_BITS:
        raise ValueError(f"max_distance is {max_distance}, not within 0 to {PHASH_BITS}")
    told = [examination(name, pattern) for name in names]
    first = {exam: place for place, exam in reversed(list(enumerate(told))) if exam is not None}
    links = [(first[exam], place) for place, exam in enumerate(told) if exam is not None]
    roots = _connected(len(names), [*links, *_alike(_hashes(phashes, names), max_distance)])
    labels = {}
    for place in reversed(range(len(names))):
        labels[roots[place]] = told[place] or PurePosixPath(names[place]).stem
    return [labels[root] for root in roots]


def examination(name: str, pattern: str = EXAMINATION) -> str | None:
    """Examination that a file name tells, lower case; None where it tells none.

    Raises:
        ValueError: the pattern is no regular expression with a group ``examination``.
    """
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ValueError(f"pattern {pattern!r} is no regular expression: {error}") from error
    if "examination" not in compiled.groupindex:
        raise ValueError(f"pattern {pattern!r} needs a group named examination: (?P<examination>…)")
    found = compiled.search(PurePosixPath(name).stem)
    return found["examination"].lower() if found else None


def _hashes(phashes: Sequence[str], names: Sequence[str]) -> NDArray[np.uint64]:
    values = []
    for text, name in zip(phashes, names, strict=True):
        try:
            values.append(int(text, 16))
        except (TypeError, ValueError):
            raise ValueError(f"{name}: {text!r} is no perceptual hash of 16 hex digits") from None
    return np.array(values, dtype=np.uint64)


def _alike(hashes: NDArray[np.uint64], most: int) -> list[tuple[int, int]]:
    """Pairs of pictures whose hashes differ in at most ``most`` bits, some rows at a time."""
    pairs: list[tuple[int, int]] = []
    sound = hashes != DEGENERATE
    for start in range(0, len(hashes), _BLOCK):
        block = hashes[start : start + _BLOCK]
        near = np.bitwise_count(block[:, None] ^ hashes[None, :]) <= most
        near &= sound[start : start + _BLOCK, None] & sound[None, :]
        rows, columns = np.nonzero(near)
        keep = rows + start < columns
        pairs.extend(zip((rows[keep] + start).tolist(), columns[keep].tolist(), strict=True))
    return pairs


def _connected(n: int, links: Sequence[tuple[int, int]]) -> list[int]:
    """The first member of each item's connected part."""
    parent = list(range(n))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    for one, two in links:
        low, high = sorted((root(one), root(two)))
        parent[high] = low
    return [root(place) for place in range(n)]
