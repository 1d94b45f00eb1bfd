"""From a batch to features: pixels augmented and normalised, each distinct text encoded once."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.encode import trim_padding
from endoalign.models.locked_text import LockedTexts
from endoalign.training.augmentation import Augmentation
from endoalign.training.batches import Batch


@dataclass(frozen=True)
class Features:
    """Unit-norm features of m frames and n texts, and the logit scale (exponentiated)."""

    images: Tensor
    texts: Tensor
    scale: Tensor


class Forward:
    """Runs an encoder on batches.

    Args:
        encoder: whose pixels' normalisation and tokens are used.
        model: its model, as Accelerate wrapped it.
        texts: the distinct texts of the pairs; tokens are made once.
        device: where the model lies.
        locked: where the trunk of the text tower is locked, the texts that it knows.
    """

    def __init__(
        self,
        encoder: DualEncoder,
        model: nn.Module,
        texts: list[str],
        device: torch.device,
        locked: LockedTexts | None = None,
    ) -> None:
        self._encoder, self._model, self._device = encoder, model, device
        self._is_locked = locked is not None
        tokens = encoder.tokenize(texts) if locked is None else locked.rows(texts)
        self._tokens = tokens.to(torch.int32)  # half the memory, same numbers
        scale = 255 * torch.tensor(encoder.std, device=device)
        self._factor = (1 / scale).view(1, 3, 1, 1)
        self._shift = (-255 * torch.tensor(encoder.mean, device=device) / scale).view(1, 3, 1, 1)

    def __call__(
        self, batch: Batch, augmentation: Augmentation | None, *, seed: int, epoch: int
    ) -> Features:
        """Features of a batch; without ``augmentation`` of the pictures as they are.

        A text that stands several times in the batch is encoded once. That is the same loss and
        gradient, but for towers with dropout: equal texts then share their mask.
        """
        pixels = batch.pixels.to(self._device, non_blocking=True)
        if augmentation is None or pixels.ndim == 2:
            pictures = pixels.float()
        else:
            pictures = augmentation.apply(pixels, seed=seed, epoch=epoch, items=batch.items)
        distinct, place = np.unique(batch.text_ids, return_inverse=True)
        tokens = self._tokens[torch.from_numpy(distinct)].long()
        if not self._is_locked:
            tokens = trim_padding(tokens, self._encoder)
        if pixels.ndim == 4:
            pictures = pictures.mul_(self._factor).add_(self._shift)
        found = self._model(
            image=pictures,
            text=tokens.to(self._device, non_blocking=True),
        )
        texts = found["text_features"][torch.from_numpy(place).to(self._device)]
        return Features(found["image_features"], texts, found["logit_scale"])
