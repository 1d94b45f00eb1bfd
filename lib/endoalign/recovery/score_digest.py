"""What tells whether scores on disk are those of this encoder, these queries and these frames."""

import hashlib
import json

import numpy as np
import pandas as pd
import torch

from endoalign.corpus.pixels import PixelSource
from endoalign.models.dual_encoder import DualEncoder

_PROBES = 4
_FRAME_COLUMNS = ("frame_id", "case_id", "sha256")


def score_digest(
    encoder: DualEncoder,
    frames: pd.DataFrame,
    pixels: PixelSource,
    queries: pd.DataFrame,
    block_rows: int,
) -> str:
    """Return 64 hexadecimal digits over all that scores depend on.

    The weights and configuration of the encoder, the ids (and where given the hashes) of the
    frames, the queries, the size of the blocks, and the pictures of a few frames as the source
    reads them: a changed size or crop shows there. Batch size is left out: it changes scores by
    rounding at most, and a run that was out of memory may go on with smaller batches.
    """
    digest = hashlib.sha256()
    digest.update(json.dumps(encoder.config, sort_keys=True, default=str).encode())
    for name, value in encoder.model.state_dict().items():
        flat = value.detach().cpu().contiguous().reshape(-1).view(torch.uint8)
        digest.update(f"{name} {value.dtype} {tuple(value.shape)}".encode())
        digest.update(flat.numpy())
    known = [name for name in _FRAME_COLUMNS if name in frames]
    for table in (frames[known], queries):
        hashed = pd.util.hash_pandas_object(table.astype(object), index=False, categorize=False)
        digest.update(f"{list(table.columns)} {len(table)}".encode())
        digest.update(hashed.to_numpy().tobytes())
    digest.update(f"{block_rows} {pixels.size}".encode())
    if len(frames):
        probes = np.unique(np.linspace(0, len(frames) - 1, _PROBES).astype(np.int64))
        digest.update(pixels.read(probes).numpy().tobytes())
    return digest.hexdigest()
