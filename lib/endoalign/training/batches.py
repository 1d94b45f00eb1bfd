"""Batches with their pictures, read in a thread while the model is at work on those before."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from endoalign.corpus.pixels import PixelSource
from endoalign.training.job import TrainingJob
from endoalign.training.order import EpochOrder, Items, draw_from_bags, repeated_share
from endoalign.training.pairs import TrainingPairs

DEPTH: Final = 2
"""Optimiser steps read ahead."""


@dataclass(frozen=True)
class Batch:
    """What one forward pass takes: m frames and n texts (m = n but for bags).

    Attributes:
        items: (m,) numbers of the pairs, on which augmentation depends.
        pixels: (m, 3, S, S) uint8, or (m, width) float32 of a frozen trunk.
        text_ids: (n,) place of each text among the distinct ones.
        bag: (m,) place of each frame's text in ``text_ids``.
    """

    items: Items
    pixels: Tensor
    text_ids: Items
    bag: Items


@dataclass(frozen=True)
class Step:
    """One optimiser step: the passes of this process, and what repeats in the whole batch."""

    passes: list[Batch]
    repeated_share: float


class Loader:
    """Gives the steps of an epoch, as this process takes part in them."""

    def __init__(
        self, pairs: TrainingPairs, pixels: PixelSource, job: TrainingJob, process: int
    ) -> None:
        self.order = EpochOrder.of(pairs, job)
        self._pairs, self._pixels, self._job, self._process = pairs, pixels, job, process

    def epoch(self, epoch: int) -> Iterator[Step]:
        """Yield the steps of an epoch; an error of the source is raised in its turn."""
        bags = self._bags(epoch)
        batches = iter(self.order.batches(self._job.seed, epoch))
        waiting: deque[Future[Step]] = deque()
        with ThreadPoolExecutor(1, thread_name_prefix="read-ahead") as pool:
            for units in batches:
                waiting.append(pool.submit(self._step, units, bags))
                if len(waiting) > DEPTH:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

    def _bags(self, epoch: int) -> list[Items] | None:
        if self._job.objective != "mil_nce":
            return None
        return draw_from_bags(self._pairs, self._job.bag_size, self._job.seed, epoch)

    def _step(self, units: Items, bags: list[Items] | None) -> Step:
        texts = self._pairs.text_ids[units if bags is None else _firsts(bags, units)]
        own = self.order.part(units, self._process)
        size = self._job.batch_size
        parts = [own[start : start + size] for start in range(0, len(own), size)]
        return Step([self._batch(part, bags) for part in parts], repeated_share(texts))

    def _batch(self, units: Items, bags: list[Items] | None) -> Batch:
        if bags is None:
            items, firsts, bag = units, units, np.arange(len(units))
        else:
            members = [bags[unit] for unit in units]
            items, firsts = np.concatenate(members), _firsts(bags, units)
            bag = np.repeat(np.arange(len(units)), [len(frames) for frames in members])
        pixels = self._pixels.read(self._pairs.rows[items])
        if torch.cuda.is_available():
            pixels = pixels.pin_memory()
        return Batch(items, pixels, self._pairs.text_ids[firsts], bag)


def _firsts(bags: list[Items], units: Items) -> NDArray[np.int64]:
    """One pair of each bag: all have its text."""
    return np.array([bags[unit][0] for unit in units], dtype=np.int64)
