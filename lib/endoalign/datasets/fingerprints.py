"""Hashes of all pictures of a data set: of the file, of its pixels, of what they look like."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from PIL import Image

from endoalign.corpus.listing import is_frame
from endoalign.datasets.contents import Contents
from endoalign.frames.content_area import content_area
from endoalign.frames.decode import FrameError, decode, read_bytes
from endoalign.frames.hashing import phash, sha256_of

COLUMNS: Final = ("frame_id", "path", "part", "sha256", "pixels", "phash")
_SIDE: Final = 256
"""Pictures are reduced by a whole factor to no less than this on the shorter side."""

Progress = Callable[[int, int], None]


def fingerprints(contents: Contents, progress: Progress | None = None) -> pd.DataFrame:
    """Return one row a picture that is a file of its own, in the order of ``contents.frames``.

    Args:
        contents: of a data set. Frames inside a video, frames without a file (an empty path) and
            pictures that cannot be read are left out.
        progress: gets (pictures done, pictures in all).

    Returns:
        ``frame_id``, ``path``, ``part`` (the split of its case), ``sha256`` of the file and
        ``pixels`` (SHA-256 of shape and RGB, so that a repack without loss stays equal) as 64
        hexadecimal digits, and ``phash`` (uint64, `frames.hashing.phash` inside the content area).
    """
    part_of = contents.cases.set_index("case_id")["split"]
    frames = contents.frames[contents.frames["path"].map(is_frame)]
    parts = frames["case_id"].map(part_of).fillna("")
    rows: list[tuple[object, ...]] = []
    for done, (frame_id, path, part) in enumerate(
        zip(frames["frame_id"], frames["path"], parts, strict=True), start=1
    ):
        hashes = _hashes(contents.root / path)
        if hashes is not None:
            rows.append((frame_id, path, part, *hashes))
        if progress is not None:
            progress(done, len(frames))
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return table.astype({name: "uint64" if name == "phash" else "str" for name in COLUMNS})


def _hashes(path: Path) -> tuple[str, str, int] | None:
    try:
        data = read_bytes(path)
        rgb = decode(data)
    except FrameError:
        return None
    pixels = hashlib.sha256(repr(rgb.shape).encode())
    pixels.update(np.ascontiguousarray(rgb).data)
    return sha256_of(data), pixels.hexdigest(), _phash(rgb)


def _phash(rgb: NDArray[np.uint8]) -> int:
    factor = max(1, min(rgb.shape[:2]) // _SIDE)
    small = np.asarray(Image.fromarray(rgb).reduce(factor))
    area = content_area(small)
    return phash(area.box.crop(small), area.box.crop(area.mask))
