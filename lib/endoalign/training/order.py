"""Which pairs make up each batch; it depends on the seed and the epoch alone."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from endoalign.training.chance import key, uniform
from endoalign.training.job import TrainingSettings
from endoalign.training.pairs import TrainingPairs

Items = NDArray[np.int64]


@dataclass(frozen=True)
class EpochOrder:
    """Batches of whole optimiser steps over ``units`` pairs (or bags), of all processes together.

    Attributes:
        units: how many there are to go through in an epoch.
        size: units a full batch: passes a step, times their size, times processes.
        processes: a batch is cut into so many equal parts.
        keep_last: keep the last, incomplete batch. The units that make it no multiple of
            ``processes`` (fewer than that) are left out of the epoch, others in each.
    """

    units: int
    size: int
    processes: int = 1
    keep_last: bool = True

    @classmethod
    def of(cls, pairs: TrainingPairs, settings: TrainingSettings) -> "EpochOrder":
        """The order of a training.

        Raises:
            ValueError: there are fewer pairs (or bags) than processes.
        """
        bags = settings.objective == "mil_nce"
        units = int(pairs.bags.max()) + 1 if bags else len(pairs)
        processes = settings.num_processes
        if units < processes:
            kind = "bags" if bags else "pairs"
            raise ValueError(f"{units} {kind} for {processes} processes: each needs at least one")
        size = settings.batch_size * settings.accumulation * processes
        # Fewer units than a batch make one smaller batch, whatever becomes of last batches.
        keep = settings.last_batch == "keep" or units < size
        return cls(units, size, processes, keep)

    @property
    def steps(self) -> int:
        """Batches an epoch."""
        full, rest = divmod(self.units, self.size)
        return full + int(self.keep_last and rest >= self.processes)

    def batches(self, seed: int, epoch: int) -> list[Items]:
        """The batches of an epoch: each unit once, in random order."""
        order = np.random.default_rng(key("order", seed, epoch)).permutation(self.units)
        parts = [order[step * self.size :][: self.size] for step in range(self.steps)]
        return [part[: len(part) - len(part) % self.processes] for part in parts]

    def part(self, batch: Items, process: int) -> Items:
        """What one process takes of a batch."""
        return np.split(batch, self.processes)[process]


def draw_from_bags(pairs: TrainingPairs, size: int, seed: int, epoch: int) -> list[Items]:
    """Up to ``size`` pairs of each bag, drawn anew each epoch: b arrays of pairs."""
    chance = uniform("bag", seed, epoch, np.arange(len(pairs)), 1)[:, 0]
    order = np.lexsort((chance, pairs.bags))
    starts = np.flatnonzero(np.diff(pairs.bags[order], prepend=-1))
    return [bag[:size] for bag in np.split(order, starts[1:])]


def repeated_share(text_ids: Items) -> float:
    """Share of the pairs of a batch whose text stands there more than once."""
    _, place, count = np.unique(text_ids, return_inverse=True, return_counts=True)
    return float(np.mean(count[place] > 1))
