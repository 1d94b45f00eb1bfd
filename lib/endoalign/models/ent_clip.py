"""ENT-CLIP: adapted image tower, fused CLS tokens, interpolated features, linear classifier."""

import math
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from endoalign.models.architecture import seeded
from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.ent_prompts import EntClasses
from endoalign.models.ent_settings import EntClipSettings
from endoalign.models.fusion import ClsFusion, check_layers, cls_tokens
from endoalign.models.lora import add_lora, is_adapted, named_adapters, vision_transformer
from endoalign.models.slerp import lambdas, same_class_partners, slerp

CHANCES: Final = 2
"""Uniform numbers that interpolation takes a picture: the partner, and lambda."""


class EntClip(nn.Module):
    """The paper's model (figure 1) around a dual encoder; its text tower is frozen throughout.

    The encoder's image tower is changed in place: adapters enter it, or it is frozen.

    Args:
        encoder: any dual encoder for ``tower`` frozen or full without fusion; LoRA and fusion need
            a vision transformer of OpenCLIP's own.
        classes: what is told apart.
        settings: which parts there are.
        seed: new parts depend on it alone.

    Raises:
        ValueError: the tower is of another kind than the settings need, or has other blocks.
    """

    mean: Tensor
    std: Tensor

    def __init__(
        self,
        encoder: DualEncoder,
        classes: EntClasses,
        settings: EntClipSettings,
        *,
        seed: int,
    ) -> None:
        super().__init__()
        self.encoder, self.class_set, self.settings = encoder, classes, settings
        self.towers = encoder.model.requires_grad_(False)
        d = encoder.feature_size
        if settings.tower == "lora" and not is_adapted(encoder):
            add_lora(encoder, settings, seed=seed)
        if settings.tower == "lora":
            for _, adapter in named_adapters(encoder):
                adapter.requires_grad_(True)
        elif settings.tower == "full":
            encoder.model.visual.requires_grad_(True)
        self.fusion: ClsFusion | None = None
        if settings.fusion:
            check_layers(encoder, settings.fusion_layers)
            width = vision_transformer(encoder).transformer.width
            levels = len(settings.fusion_layers)
            self.fusion = ClsFusion(levels, width, d, settings, seed=seed)
            if settings.fusion_joins == "both":
                self.fusion.start_at_zero()
        with seeded(seed):
            self.classifier = nn.Linear(d, len(classes))
        self.logit_scale = nn.Parameter(*_logit_scale(encoder, settings))
        for name, values in (("mean", encoder.mean), ("std", encoder.std)):
            self.register_buffer(name, 255 * torch.tensor(values).view(3, 1, 1), persistent=False)

    def forward(
        self, pictures: Tensor, labels: Tensor | None = None, chances: Tensor | None = None
    ) -> dict[str, Tensor]:
        """Features; with ``labels`` and ``chances`` also of interpolated pictures (SFA).

        Args:
            pictures: (n, 3, S, S), red, green, blue from 0 to 255, any number type.
            labels: (n,) integers.
            chances: (n, `CHANCES`) in [0, 1).

        Returns:
            ``retrieval``, (m, d) of unit norm, which retrieval and the contrastive loss see (v of
            equation 10), and ``classes``, (m, c) logits. m is n, or 2 n with interpolation: row
            n + i lies between picture i and another of its class, or is picture i where there is
            no other.
        """
        images = (pictures.float() - self.mean) / self.std
        retrieval, of_class = self._features(images)
        if labels is not None and chances is not None and self.settings.slerp:
            partner = same_class_partners(labels, chances[:, 0])
            share = lambdas(chances[:, 1], self.settings)
            between = slerp(retrieval, retrieval[partner], share)
            if of_class is retrieval:
                of_class = torch.cat([retrieval, between])
            else:
                of_class = torch.cat([of_class, slerp(of_class, of_class[partner], share)])
            retrieval = torch.cat([retrieval, between])
        return {"retrieval": retrieval, "classes": self._classified(of_class)}

    def _features(self, images: Tensor) -> tuple[Tensor, Tensor]:
        """Unit-norm features for retrieval and for the classifier, (n, d) each."""
        if self.fusion is None:
            found: Tensor = self.towers.encode_image(images)  # type: ignore[operator]
            found = normalize(found.float(), dim=1)
            return found, found
        tower, tokens = cls_tokens(self.encoder, images, self.settings.fusion_layers)
        found, fused = normalize(tower.float(), dim=1), self.fusion(tokens).float()
        if self.settings.fusion_joins == "classifier":
            return found, normalize(fused, dim=1)
        joined = normalize(found + fused, dim=1)
        return joined, joined

    def _classified(self, features: Tensor) -> Tensor:
        """Logits of unit-norm features, brought to a variance of 1 as a linear layer expects."""
        logits: Tensor = self.classifier(math.sqrt(features.shape[1]) * features)
        return logits


def _logit_scale(encoder: DualEncoder, settings: EntClipSettings) -> tuple[Tensor, bool]:
    """Logarithm of the inverse temperature at first, and whether it is trained."""
    if settings.temperature == "learnable":
        scale: Tensor = encoder.model.logit_scale  # type: ignore[assignment]
        return scale.detach().clone().reshape(()), True
    return torch.tensor(-math.log(settings.temperature)), False
