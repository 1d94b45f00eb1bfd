"""What a training of EndoVLM reads of its frames."""

from typing import Final

import numpy as np
import pandas as pd

from endoalign.corpus.pixels import PixelSource, open_pixels
from endoalign.models.endovlm_encoder import EndovlmEncoder
from endoalign.models.endovlm_input import open_endovlm_input
from endoalign.models.patch_stem import patch_stem
from endoalign.training.endovlm_cases import EndovlmCases
from endoalign.training.endovlm_settings import EndovlmJob

STANDARDISED: Final = 1024
"""Frames, spread over the training, by which a frozen stem is standardised."""


def open_inputs(
    job: EndovlmJob, frames: pd.DataFrame, cases: EndovlmCases, encoder: EndovlmEncoder
) -> tuple[PixelSource, PixelSource | None]:
    """Pictures of the frames, and what a frozen stem says of them; caches are made at need.

    A frozen stem of ``encoder`` is standardised by the frames of ``cases``.

    Returns:
        Pictures, and tokens (`StemTokens`): None without a frozen stem, and where pictures look
        different from epoch to epoch.

    Raises:
        CorpusError: a frame cannot be read.
    """
    pixels = open_pixels(
        job.corpus,
        frames,
        encoder.image_size,
        crop_content=job.crop_content,
        cache=job.cache,
        threads=job.workers,
    )
    stem = patch_stem(encoder.model.image_tower)
    if stem is None:
        return pixels, None
    tokens = open_endovlm_input(
        encoder, pixels, frames, crop_content=job.crop_content, cache=job.cache
    )
    rows = cases.frame_rows
    some = rows[np.linspace(0, len(rows) - 1, min(len(rows), STANDARDISED)).astype(np.int64)]
    stem.standardise_by(tokens.read(some))
    return pixels, None if job.augments else tokens
