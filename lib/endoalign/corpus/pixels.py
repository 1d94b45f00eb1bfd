"""Frames as the encoders see them: a source of small square pictures, row by row of a table."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from endoalign.corpus.disk_pixels import DiskPixels, Rows
from endoalign.corpus.picture import PictureSettings, load_picture
from endoalign.corpus.pixel_cache import CachedArray, cache_digest, write_cache
from endoalign.corpus.validation import CorpusError

__all__ = [
    "CachedPixels",
    "DiskPixels",
    "PictureSettings",
    "PixelSource",
    "load_picture",
    "open_pixels",
]

Progress = Callable[[int, int], None]


class PixelSource(Protocol):
    """Pictures of the frames of a table: row i of the source is row i of the table."""

    size: int

    def __len__(self) -> int:
        """Number of frames."""
        ...

    def read(self, rows: Rows) -> Tensor:
        """Pictures of these rows, uint8 (n, 3, size, size); rows may repeat, in any order."""
        ...


class CachedPixels:
    """Pictures from one file that `make` writes once; see `pixel_cache` for its layout."""

    def __init__(self, array: CachedArray) -> None:
        self.size = array.shape[-1]
        self._array = array

    @classmethod
    def make(
        cls,
        folder: Path,
        frames: pd.DataFrame,
        size: int,
        cache_file: Path,
        *,
        crop_content: bool = True,
        threads: int = 2,
        progress: Progress | None = None,
    ) -> "CachedPixels":
        """Open the cache, made anew where it is missing, unfinished or of other frames.

        The arguments are those of `DiskPixels`; ``cache_file`` ends in ``.npy`` and ``progress``
        gets (frames done, frames in all).

        Raises:
            CorpusError: a frame cannot be read; no cache is written then.
            ValueError: ``cache_file`` does not end in ``.npy``.
        """
        digest = cache_digest(frames, size, crop_content)
        array = CachedArray.open(cache_file, digest)
        if array is None:
            source = DiskPixels(folder, frames, size, crop_content=crop_content, threads=threads)
            write_cache(source.read, (len(frames), 3, size, size), cache_file, digest, progress)
            array = CachedArray.open(cache_file, digest)
            if array is None:
                raise CorpusError(
                    f"{cache_file} was replaced with the pictures of another corpus while it was "
                    "made: give each corpus and picture size a cache file of its own"
                )
        return cls(array)

    def __len__(self) -> int:
        return self._array.shape[0]

    def read(self, rows: Rows) -> Tensor:
        """Read these rows; uint8 (n, 3, size, size)."""
        return torch.from_numpy(self._array.read(np.asarray(rows, dtype=np.int64)))


def open_pixels(
    folder: Path,
    frames: pd.DataFrame,
    size: int,
    *,
    crop_content: bool = True,
    cache: Path | None = None,
    threads: int = 2,
    progress: Progress | None = None,
) -> PixelSource:
    """Pictures of ``frames``: from ``cache`` (made at need) or, without one, from the files.

    Raises:
        CorpusError: while a cache is made, a frame cannot be read.
    """
    if cache is None:
        return DiskPixels(folder, frames, size, crop_content=crop_content, threads=threads)
    return CachedPixels.make(
        folder,
        frames,
        size,
        cache,
        crop_content=crop_content,
        threads=threads,
        progress=progress,
    )
