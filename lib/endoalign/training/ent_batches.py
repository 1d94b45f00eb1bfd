"""Batches of an ENT-CLIP training, read in a thread while the model is at work on those before."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.encode import encode_texts
from endoalign.training.ent_data import EntPictures
from endoalign.training.order import EpochOrder, repeated_share

Items = NDArray[np.int64]


@dataclass(frozen=True)
class EntTexts:
    """Texts of all pictures of a table.

    Attributes:
        ids: (n,) row of each picture's text in ``features``.
        features: (t, d) of the distinct texts, unit norm; they never change, as their tower is
            frozen.
    """

    ids: Items
    features: Tensor

    @classmethod
    def of(
        cls,
        encoder: DualEncoder,
        pictures: EntPictures,
        prompt: Literal["literal", "description", "picture"],
    ) -> "EntTexts":
        """Encode each distinct text once (equation 2)."""
        prompts = None if prompt == "picture" else pictures.classes.prompts(prompt)
        texts = pictures.texts(prompts)
        distinct = sorted(set(texts))
        place = {text: row for row, text in enumerate(distinct)}
        ids = np.array([place[text] for text in texts], dtype=np.int64)
        return cls(ids, encode_texts(encoder, distinct).clone())  # no tensor of inference mode


@dataclass(frozen=True)
class EntBatch:
    """What one process takes of a batch, b pictures.

    Attributes:
        items: (b,) numbers of the pictures, on which augmentation depends.
        pixels: (b, 3, S, S) uint8.
        labels, text_ids: (b,) class and text of each picture.
        repeated_share: share of the whole batch whose text stands there more than once.
    """

    items: Items
    pixels: Tensor
    labels: Items
    text_ids: Items
    repeated_share: float


class EntLoader:
    """Gives the batches of an epoch, as one process takes part in them.

    Args:
        rows: of the pictures that are trained on.
        text_ids: of all pictures.

    Raises:
        ValueError: there are fewer pictures than processes.
    """

    def __init__(
        self,
        pictures: EntPictures,
        rows: Items,
        text_ids: Items,
        *,
        batch_size: int,
        processes: int = 1,
        process: int = 0,
    ) -> None:
        if len(rows) < processes:
            raise ValueError(f"{len(rows)} pictures for {processes} processes: each needs one")
        self.order = EpochOrder(len(rows), batch_size * processes, processes)
        self._pictures, self._rows, self._text_ids = pictures, rows, text_ids
        self._process = process

    def epoch(self, seed: int, epoch: int) -> Iterator[EntBatch]:
        """Yield the batches of an epoch; an error of the pixels is raised in its turn."""
        batches = self.order.batches(seed, epoch)
        with ThreadPoolExecutor(1, thread_name_prefix="read-ahead") as pool:
            waiting = pool.submit(self._batch, batches[0])
            for following in [*batches[1:], None]:
                ready = waiting.result()
                if following is not None:
                    waiting = pool.submit(self._batch, following)
                yield ready

    def _batch(self, batch: Items) -> EntBatch:
        items = self.order.part(batch, self._process)
        rows = self._rows[items]
        return EntBatch(
            items,
            self._pictures.pixels.read(rows),
            self._pictures.labels[rows],
            self._text_ids[rows],
            repeated_share(self._text_ids[self._rows[batch]]),
        )
