"""What an encoder takes of each frame: its picture, or what a frozen trunk says of it."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from endoalign.corpus.disk_pixels import DiskPixels, Rows
from endoalign.corpus.pixel_cache import CachedArray, cache_digest, write_cache
from endoalign.corpus.pixels import PixelSource, open_pixels
from endoalign.corpus.validation import CorpusError
from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.encode import evaluating, normalise_pixels
from endoalign.models.levels import LevelTrunk, level_trunk

BATCH: Final = 64
"""Pictures that go through the trunk at once."""


class CachedLevels:
    """Pooled features of a frozen trunk (`levels.LevelTrunk`), from a file that is written once.

    A `PixelSource` whose `read` gives float32 (n, width) in the place of pictures.
    """

    def __init__(self, array: CachedArray, size: int) -> None:
        self.size = size
        self._array = array

    def __len__(self) -> int:
        return self._array.shape[0]

    def read(self, rows: Rows) -> Tensor:
        """Read these rows; float32 (n, width)."""
        return torch.from_numpy(self._array.read(np.asarray(rows, dtype=np.int64)))


def open_input(
    encoder: DualEncoder,
    folder: Path,
    frames: pd.DataFrame,
    *,
    crop_content: bool = True,
    cache: Path | None = None,
    threads: int = 2,
    progress: Callable[[int, int], None] | None = None,
) -> PixelSource:
    """Open the source of what ``encoder`` takes of the frames.

    Pictures, as `corpus.pixels.open_pixels` gives them; where the trunk of the image tower is
    frozen and a ``cache`` is named, the trunk's pooled features in their place.

    Raises:
        CorpusError: while a cache is made, a frame cannot be read.
    """
    trunk = level_trunk(encoder.model)
    if trunk is None or cache is None:
        return open_pixels(
            folder,
            frames,
            encoder.image_size,
            crop_content=crop_content,
            cache=cache,
            threads=threads,
            progress=progress,
        )
    size = encoder.image_size
    digest = _digest(trunk, frames, size, crop_content)
    array = CachedArray.open(cache, digest, np.float32)
    if array is None:
        pictures = DiskPixels(folder, frames, size, crop_content=crop_content, threads=threads)

        def levels(rows: Rows) -> Tensor:
            with evaluating(encoder.model):
                device = next(encoder.model.parameters()).device
                pixels = normalise_pixels(pictures.read(rows).to(device), encoder)
                parts = torch.split(pixels, BATCH)
                return torch.cat([trunk.levels(part) for part in parts]).float().cpu()

        shape = (len(frames), trunk.num_features)
        write_cache(levels, shape, cache, digest, progress, np.float32)
        array = CachedArray.open(cache, digest, np.float32)
        if array is None:
            raise CorpusError(
                f"{cache} was replaced with the features of another corpus while it was made: "
                "give each corpus and encoder a cache file of its own"
            )
    return CachedLevels(array, size)


def _digest(trunk: LevelTrunk, frames: pd.DataFrame, size: int, crop_content: bool) -> str:
    """64 hexadecimal digits over pictures and frozen weights."""
    digest = hashlib.sha256(cache_digest(frames, size, crop_content).encode())
    for name, value in trunk.state_dict().items():
        if not name.startswith("norm."):
            digest.update(value.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()
