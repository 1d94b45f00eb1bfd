"""From the features of a batch, real and interpolated, to ENT-CLIP's loss."""

from dataclasses import dataclass

import torch
from torch import Tensor

from endoalign.losses.ent_joint import JointLoss, ent_joint_loss
from endoalign.training.ent_settings import EntSettings


@dataclass(frozen=True)
class EntObjective:
    """Loss of a batch as the settings ask for it (equation 14).

    Attributes:
        texts: (t, d) features of the distinct texts; they never change, as their tower is frozen.
    """

    settings: EntSettings
    texts: Tensor

    def __call__(
        self, found: dict[str, Tensor], labels: Tensor, text_ids: Tensor, logit_scale: Tensor
    ) -> JointLoss:
        """Loss of n pictures and, where there are any, their n interpolations.

        Args:
            found: from `EntClip`, of n or 2 n rows.
            labels: (n,) classes.
            text_ids: (n,) row of each picture's text in ``texts``.
            logit_scale: scalar, already exponentiated.
        """
        n, given = len(labels), self.settings
        rows = len(found["classes"])
        for_classes = n if given.interpolated_enter == "contrastive" else rows
        for_contrast = n if given.interpolated_enter == "classification" else rows
        twice = torch.cat([labels, labels])
        pairs = twice[:for_contrast]
        return ent_joint_loss(
            found["classes"][:for_classes],
            twice[:for_classes],
            found["retrieval"][:for_contrast],
            self.texts[torch.cat([text_ids, text_ids])[:for_contrast]],
            logit_scale,
            pair_classes=pairs if given.targets == "class" else None,
            mu1=given.mu1,
            mu2=given.mu2,
        )
