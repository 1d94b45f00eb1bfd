"""Features of a small set of frames, all at once in memory (retrieval evaluation)."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from endoalign.corpus.pixels import PixelSource
from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.encode import encode_pixels
from endoalign.recovery.read_ahead import read_ahead, split_rows


def embed_frames(
    encoder: DualEncoder,
    pixels: PixelSource,
    rows: Sequence[int] | NDArray[np.int64],
    batch_size: int,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.float32]:
    """Encode the frames in ``rows`` of a pixel source, in the order given.

    Returns:
        (n, d) float32, each row of unit norm.

    Raises:
        ValueError: a feature is not finite, or ``batch_size`` is below 1.
    """
    wanted = np.asarray(rows, dtype=np.int64)
    features = np.empty((len(wanted), encoder.feature_size), dtype=np.float32)
    done = 0
    for batch in read_ahead(pixels, split_rows(wanted, batch_size)):
        found = encode_pixels(encoder, batch).float().cpu().numpy()
        features[done : done + len(found)] = found
        done += len(found)
        if progress is not None:
            progress(done, len(wanted))
    broken = ~np.isfinite(features).all(axis=1)
    if broken.any():
        raise ValueError(
            f"encoder {encoder.name!r} gives features that are not finite for row "
            f"{wanted[broken][0]}: its weights are broken, train or load it anew"
        )
    return features
