"""Batches of whole examinations, read in a thread while the model is at work on those before."""

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
from endoalign.training.chance import uniform
from endoalign.training.endovlm_cases import EndovlmCases
from endoalign.training.endovlm_settings import EndovlmTrainingSettings
from endoalign.training.order import EpochOrder, Items, repeated_share

DEPTH: Final = 1
"""Steps read ahead: a step of the paper's size holds some gigabytes of pictures."""


@dataclass(frozen=True)
class CaseBatch:
    """What this process takes of one optimiser step: B cases, F frames, M propositions.

    Attributes:
        items: (F,) rows of the frames table, on which masks and augmentation depend.
        pixels: (F, 3, S, S) uint8.
        tokens: (F, patches, channels) of a frozen stem, None where it looks at the pictures anew.
        frame_counts, proposition_counts: (B,) of each case.
        texts: the distinct texts of the batch.
        propositions, reports: (M,) and (B,), places in ``texts``.
        regions: (M,) place in `REGIONS`.
        abnormal: (M,) booleans.
        report_ids: (B,) equal where reports are equal, on whichever process.
        repeated_share: share of the propositions whose text stands in the batch more than once.
    """

    items: Items
    pixels: Tensor
    tokens: Tensor | None
    frame_counts: Items
    texts: list[str]
    propositions: Items
    proposition_counts: Items
    reports: Items
    regions: Items
    abnormal: NDArray[np.bool_]
    report_ids: Items
    repeated_share: float


class CaseLoader:
    """Gives the batches of an epoch, as this process takes part in them.

    Raises:
        ValueError: there are fewer cases than processes.
    """

    def __init__(
        self,
        cases: EndovlmCases,
        pixels: PixelSource,
        settings: EndovlmTrainingSettings,
        *,
        seed: int,
        process: int,
        tokens: PixelSource | None = None,
    ) -> None:
        self.order = case_order(cases, settings)
        self._cases, self._pixels, self._tokens = cases, pixels, tokens
        self._most, self._seed, self._process = settings.frames_per_case, seed, process
        _, self._report_ids = np.unique(cases.reports, return_inverse=True)

    def epoch(self, epoch: int) -> Iterator[CaseBatch]:
        """Yield the batches of an epoch; an error of the source is raised in its turn."""
        waiting: deque[Future[CaseBatch]] = deque()
        with ThreadPoolExecutor(1, thread_name_prefix="read-ahead") as pool:
            for units in self.order.batches(self._seed, epoch):
                own = self.order.part(units, self._process)
                waiting.append(pool.submit(self._batch, own, epoch))
                if len(waiting) > DEPTH:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

    def _batch(self, chosen: Items, epoch: int) -> CaseBatch:
        cases = self._cases
        frames = [drawn(cases.frames_of(one), self._most, self._seed, epoch) for one in chosen]
        places = [cases.places_of(one) for one in chosen]
        flat = np.concatenate(places)
        written = [cases.propositions[place] for place in flat]
        texts, where = np.unique(
            [*written, *(cases.reports[one] for one in chosen)], return_inverse=True
        )
        items = np.concatenate(frames)
        pixels = self._pixels.read(items)
        return CaseBatch(
            items,
            pixels.pin_memory() if torch.cuda.is_available() else pixels,
            None if self._tokens is None else self._tokens.read(items),
            np.array([len(one) for one in frames]),
            [str(one) for one in texts],
            where[: len(flat)],
            np.array([len(one) for one in places]),
            where[len(flat) :],
            cases.regions[flat],
            cases.abnormal[flat],
            self._report_ids[chosen],
            repeated_share(where[: len(flat)]),
        )


def case_order(cases: EndovlmCases, settings: EndovlmTrainingSettings) -> EpochOrder:
    """Batches of cases, of all processes together.

    Raises:
        ValueError: there are fewer cases than processes, or a step would hold one case alone.
    """
    processes, size = settings.num_processes, settings.batch_size * settings.num_processes
    if len(cases) < processes:
        raise ValueError(f"{len(cases)} cases for {processes} processes: each needs at least one")
    if settings.use_global and min(len(cases), size) < 2:
        raise ValueError(
            f"steps of {min(len(cases), size)} examination of {len(cases)}: whole examinations are "
            "told from one another (eq. 2), so a step needs two; raise batch_size, or set "
            "use_global: false"
        )
    keep = settings.last_batch == "keep" or len(cases) < size
    if settings.use_global and len(cases) % size == 1:
        keep = False  # a case alone; in each epoch it is another
    return EpochOrder(len(cases), size, processes, keep)


def drawn(frames: Items, most: int, seed: int, epoch: int) -> Items:
    """At most ``most`` frames of a case, drawn anew each epoch, in their order."""
    if len(frames) <= most:
        return frames
    chances = uniform("endovlm frames", seed, epoch, frames, 1)[:, 0]
    return frames[np.sort(np.argsort(chances, kind="stable")[:most])]
