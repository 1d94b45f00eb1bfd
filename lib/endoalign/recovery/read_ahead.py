"""Pictures read in a thread while the encoder is at work on those before."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from endoalign.corpus.pixels import PixelSource

DEPTH = 2
"""Batches read ahead: one waits while the next is read."""


def read_ahead(pixels: PixelSource, batches: Iterable[NDArray[np.int64]]) -> Iterator[Tensor]:
    """Yield the pictures of each batch of rows, in order, reading the next ones meanwhile.

    Args:
        pixels: source of the pictures.
        batches: rows of the source, one array a batch.

    Yields:
        (n, 3, size, size) uint8, one tensor a batch. An error of the source is raised in its turn.
    """
    waiting: deque[Future[Tensor]] = deque()
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="read-ahead") as pool:
        for rows in batches:
            waiting.append(pool.submit(pixels.read, rows))
            if len(waiting) > DEPTH:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def split_rows(rows: NDArray[np.int64], size: int) -> list[NDArray[np.int64]]:
    """Split rows into consecutive batches of ``size``, the last one shorter; ValueError below 1."""
    if size < 1:
        raise ValueError(f"batches and blocks hold 1 row or more, not {size}")
    return [rows[start : start + size] for start in range(0, len(rows), size)]
