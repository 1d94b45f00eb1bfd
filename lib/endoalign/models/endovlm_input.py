"""What EndoVLM takes of each frame: its picture, or what a frozen stem says of its patches."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from endoalign.corpus.disk_pixels import Rows
from endoalign.corpus.pixel_cache import CachedArray, cache_digest, write_cache
from endoalign.corpus.pixels import PixelSource
from endoalign.corpus.validation import CorpusError
from endoalign.models.encode import evaluating
from endoalign.models.endovlm_encoder import EndovlmEncoder
from endoalign.models.patch_stem import Lite0Patches, patch_stem

PATCHES: Final = 16_384
"""Patches that go through the stem at once."""
PATCHES_ON_CPU: Final = 256
"""The same on a processor, whose caches more of them leave."""

Progress = Callable[[int, int], None]


class StemTokens:
    """What a frozen stem says of the frames' patches: from a file that is written once, or anew.

    A `PixelSource` whose `read` gives float32 (n, patches, channels) in the place of pictures.
    """

    def __init__(self, encoder: EndovlmEncoder, pixels: PixelSource, array: CachedArray | None):
        self.size = encoder.image_size
        self._encoder, self._pixels, self._array = encoder, pixels, array

    def __len__(self) -> int:
        return len(self._pixels)

    def read(self, rows: Rows) -> Tensor:
        """Read these rows; float32 (n, patches, channels)."""
        if self._array is not None:
            return torch.from_numpy(self._array.read(np.asarray(rows, dtype=np.int64)))
        return stem_tokens(self._encoder, self._pixels.read(rows))


def stem_tokens(encoder: EndovlmEncoder, pixels: Tensor) -> Tensor:
    """Tokens (n, patches, channels) of pictures (n, 3, S, S) uint8, on the CPU.

    Raises:
        ValueError: the image tower has no frozen stem.
    """
    stem = patch_stem(encoder.model.image_tower)
    if stem is None:
        raise ValueError(f"{encoder.name} has no frozen stem (patch_stem: linear)")
    with evaluating(encoder.model):
        most = PATCHES_ON_CPU if encoder.device.type == "cpu" else PATCHES
        pictures = encoder.normalise(pixels.to(encoder.device))
        parts = torch.split(pictures, max(1, most // stem.num_patches))
        return torch.cat([stem.tokens(part) for part in parts]).float().cpu()


def open_endovlm_input(
    encoder: EndovlmEncoder,
    pixels: PixelSource,
    frames: pd.DataFrame,
    *,
    crop_content: bool = True,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> PixelSource:
    """Open the source of what ``encoder`` takes of the frames, see `StemTokens`.

    Args:
        pixels: pictures of the frames; it is the source itself where there is no frozen stem.
        crop_content: as the pictures were cropped.
        cache: file of the small pictures; tokens go to a file of their own beside it. None: all is
            computed each time.

    Raises:
        CorpusError: while a cache is made, a frame cannot be read.
    """
    stem = patch_stem(encoder.model.image_tower)
    if stem is None:
        return pixels
    if cache is None:
        return StemTokens(encoder, pixels, None)
    beside = cache.with_name(f"{cache.stem}_tokens.npy")
    digest = _digest(stem, frames, encoder.image_size, crop_content)
    array = CachedArray.open(beside, digest, np.float32)
    if array is None:
        shape = (len(frames), stem.num_patches, stem.channels)
        made = StemTokens(encoder, pixels, None)
        write_cache(made.read, shape, beside, digest, progress, np.float32)
        array = CachedArray.open(beside, digest, np.float32)
        if array is None:
            raise CorpusError(
                f"{beside} was replaced with the tokens of another corpus while it was made: give "
                "each corpus a cache file of its own"
            )
    return StemTokens(encoder, pixels, array)


def _digest(stem: Lite0Patches, frames: pd.DataFrame, size: int, crop_content: bool) -> str:
    """64 hexadecimal digits over pictures, patches and frozen weights."""
    digest = hashlib.sha256(cache_digest(frames, size, crop_content).encode())
    digest.update(str(stem.patch_size).encode())
    for name, value in stem.state_dict().items():
        if name.startswith(("conv_stem.", "bn1.", "blocks.")):
            digest.update(value.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()
