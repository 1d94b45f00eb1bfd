"""The loss of a step over all processes, as the settings ask for it."""

from dataclasses import dataclass
from typing import Literal

import torch
import torch.distributed as dist
from torch import Tensor
from torch.nn.functional import pad

from endoalign.losses.distributed import gather_rows, gathered_info_nce
from endoalign.losses.mil_nce import mil_nce
from endoalign.training.forward import Features
from endoalign.training.job import TrainingSettings


@dataclass(frozen=True)
class Objective:
    """Features of this process to a loss; gradients are to be averaged over processes, as by DDP.

    ``bag_size`` is the most frames that a text has, by which processes with unequal bags agree on
    a shape.
    """

    kind: Literal["info_nce", "mil_nce"] = "info_nce"
    same_text: bool = False
    local_loss: bool = False
    bag_size: int = 1

    @classmethod
    def of(cls, settings: TrainingSettings) -> "Objective":
        """The objective that settings ask for."""
        return cls(
            settings.objective,
            settings.targets == "same_text",
            settings.local_loss,
            settings.bag_size,
        )

    def __call__(self, features: Features, text_ids: Tensor, bag: Tensor) -> Tensor:
        """Scalar loss.

        Args:
            features: of m frames and n texts.
            text_ids: (n,) integers, equal where texts are equal.
            bag: (m,) place of each frame's text; 0 to n - 1 in order unless there are bags.
        """
        if self.kind == "info_nce":
            return gathered_info_nce(
                features.images,
                features.texts,
                features.scale,
                text_ids=text_ids if self.same_text else None,
                local_loss=self.local_loss,
            )
        images, texts = features.images, features.texts
        if dist.is_available() and dist.is_initialized() and dist.get_world_size() > 1:
            images, bag = _gather_bags(images, bag, len(texts) * self.bag_size, len(texts))
            texts, text_ids = gather_rows(texts), gather_rows(text_ids)
        if self.same_text:
            texts, bag = _merged(texts, text_ids, bag)
        return mil_nce(texts, images, bag, features.scale)


def _gather_bags(images: Tensor, bag: Tensor, length: int, texts: int) -> tuple[Tensor, Tensor]:
    """Frames of all processes and their bags, counted through; each process may hold others.

    Shapes must agree for a gather, so frames are filled up to ``length`` and cut down after it.
    """
    room = length - len(images)
    own = pad(bag + dist.get_rank() * texts, (0, room), value=-1)
    every, bags = gather_rows(pad(images, (0, 0, 0, room))), gather_rows(own)
    return every[bags >= 0], bags[bags >= 0]


def _merged(texts: Tensor, text_ids: Tensor, bag: Tensor) -> tuple[Tensor, Tensor]:
    """Bags of one text as one bag: the texts once each, and the bags pointing at them."""
    distinct, place = torch.unique(text_ids, return_inverse=True)
    order = torch.arange(len(place), device=place.device)
    first = order.new_full((len(distinct),), len(place)).scatter_reduce(0, place, order, "amin")
    return texts[first], place[bag]
