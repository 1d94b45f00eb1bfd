"""What a trained ENT-CLIP model says of pictures; the model is left as it was found."""

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from endoalign.models.encode import evaluating
from endoalign.models.ent_clip import EntClip


@dataclass(frozen=True)
class EntFeatures:
    """Of n pictures, on the CPU.

    Attributes:
        retrieval: (n, d) float32 of unit norm, what retrieval compares (section 3.7).
        logits: (n, c) float32, of the classifier.
    """

    retrieval: Tensor
    logits: Tensor

    @property
    def predicted(self) -> Tensor:
        """Class of the highest logit, (n,); the first of equal ones."""
        return self.logits.argmax(dim=1)


def encode_pictures(model: EntClip, batches: Iterable[Tensor]) -> EntFeatures:
    """Features of pictures.

    Args:
        batches: each (b, 3, S, S) uint8 with S the encoder's picture side.

    Raises:
        TypeError: the pixels are not uint8.
        ValueError: pictures have another shape.
    """
    side = model.encoder.image_size
    retrieval = [torch.zeros(0, model.encoder.feature_size)]
    logits = [torch.zeros(0, len(model.class_set))]
    with evaluating(model):
        for pixels in batches:
            if pixels.dtype != torch.uint8:
                raise TypeError(f"pixels must be uint8, 0 to 255, not {pixels.dtype}")
            if pixels.shape[1:] != (3, side, side):
                raise ValueError(
                    f"{model.encoder.name} takes (n, 3, {side}, {side}), not {tuple(pixels.shape)}"
                )
            found = model(pixels.to(model.mean.device))
            retrieval.append(found["retrieval"].float().cpu())
            logits.append(found["classes"].float().cpu())
        return EntFeatures(torch.cat(retrieval), torch.cat(logits))
