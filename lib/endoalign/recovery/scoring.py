"""Similarity of frames and texts, s(x, t) = <f(x), g(t)>, as one streaming pass over the frames.

EndoCLIP, sections 4.2 and 4.4.2. The frames are cut into blocks; a block's features and texts are
all that is in memory, and each finished block is a file. Shards are processes that share a folder.
"""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import torch

from endoalign.corpus.pixels import PixelSource
from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.encode import encode_pixels
from endoalign.recovery.block_scores import BlockScorer
from endoalign.recovery.queries import QueryIndex
from endoalign.recovery.read_ahead import read_ahead, split_rows
from endoalign.recovery.score_digest import score_digest
from endoalign.recovery.score_store import ScoreStore


def score_frames(
    encoder: DualEncoder,
    frames: pd.DataFrame,
    pixels: PixelSource,
    queries: pd.DataFrame,
    folder: Path,
    *,
    batch_size: int = 256,
    block_rows: int = 4096,
    shard: tuple[int, int] = (0, 1),
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Score frames against queries into ``part-0000-of-0004.parquet``, … (`load_scores`).

    Blocks that stand there already, made from the same encoder, frames and queries, are not scored
    again; others are replaced. Frames that no query concerns are not even read. Texts are encoded
    once for all blocks (queries of all cases) or once a block (queries of single cases); where the
    frames of a case lie together, that is once.

    Args:
        frames: table with ``frame_id`` and ``case_id``; row i is row i of ``pixels``.
        queries: ``case_id`` (empty for all cases), ``query``, ``text`` (`queries.QUERIES`).
        folder: where the parts are written; nothing else should lie there.
        batch_size: frames a forward pass.
        block_rows: frames a block, what a kill costs at most; a multiple of ``batch_size`` is best.
        shard: index and number of shards; shard i takes blocks i, i + number, …. The scores do not
            depend on how many there are.
        progress: called with the frames of this shard that are done, and their number.

    Returns:
        The folder.

    Raises:
        CorpusError: the queries are unfit, or a score is not finite; the frame and query are named.
        ValueError: frames and pixels differ in length, or a size or the shard makes no sense.
    """
    index, number = shard
    if not 0 <= index < number:
        raise ValueError(f"shard {index} of {number}: the index counts from 0 to {number - 1}")
    if len(frames) != len(pixels):
        raise ValueError(f"{len(frames)} frames but {len(pixels)} pictures: row i must be row i")
    layout = QueryIndex.build(queries, frames)
    blocks = split_rows(layout.wanted(), block_rows)
    digest = score_digest(encoder, frames, pixels, queries, block_rows)
    store = ScoreStore.open(folder, digest, len(blocks))
    mine = range(index, len(blocks), number)
    left = [block for block in mine if not store.is_finished(block)]
    total = sum(len(blocks[block]) for block in mine)
    done = total - sum(len(blocks[block]) for block in left)
    batches = [split_rows(blocks[block], batch_size) for block in left]
    scorer = BlockScorer(encoder, layout, frames)
    pictures = read_ahead(pixels, (rows for block in batches for rows in block))
    for block, parts in zip(left, batches, strict=True):
        features = []
        for rows in parts:
            features.append(encode_pixels(encoder, next(pictures)))
            done += len(rows)
            if progress is not None:
                progress(done, total)
        store.write(block, scorer.table(torch.cat(features), blocks[block]))
    return folder
