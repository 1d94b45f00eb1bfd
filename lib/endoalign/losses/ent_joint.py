"""Joint loss of ENT-CLIP: classification and contrast (section 3.6, equations 11 to 14)."""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from endoalign.losses.distributed import gathered_info_nce

MU1: Final = 1.0
MU2: Final = 0.5
_HALF: Final = (torch.float16, torch.bfloat16)


@dataclass(frozen=True)
class JointLoss:
    """Scalars of a batch; ``total`` is what is minimised."""

    total: Tensor
    classification: Tensor
    contrastive: Tensor


def ent_joint_loss(
    class_logits: Tensor,
    labels: Tensor,
    image_features: Tensor,
    text_features: Tensor,
    logit_scale: Tensor,
    *,
    pair_classes: Tensor | None,
    mu1: float = MU1,
    mu2: float = MU2,
) -> JointLoss:
    r"""``mu1`` times cross-entropy of the classes plus ``mu2`` times image-text InfoNCE.

    .. math::
        L = \mu_1 L_{classification} + \mu_2 \tfrac{1}{2} (L_{v \to u} + L_{u \to v})

    The paper's equations 12 and 13 print no temperature and call only row i's own text a match,
    though classes repeat in a batch. With ``pair_classes`` every text of a picture's class is a
    match, and shares the mass with the others. Where all pictures of a class have the same prompt,
    both are the same number: equal texts cannot be told apart, which adds the same constant to
    either. They differ where pictures have texts of their own.

    The contrastive part takes the rows of all processes as negatives (`gathered_info_nce`); the
    classification is the mean over this process's rows. Processes must hold equally many rows.

    Args:
        class_logits: (n, c).
        labels: (n,) integers, 0 to c - 1.
        image_features: (m, d), unit norm.
        text_features: (m, d), unit norm; row i is the text of image i.
        logit_scale: scalar, the inverse temperature itself (already exponentiated).
        pair_classes: (m,) class of each pair (targets "class"), or None (targets "identity").
        mu1, mu2: weights; with ``mu2`` 0 the features are not looked at.

    Raises:
        ValueError: shapes do not fit, or there is no row.
    """
    _check(class_logits, labels)
    classification = cross_entropy(_full(class_logits), labels)
    if mu2 == 0:
        return JointLoss(mu1 * classification, classification, classification.new_zeros(()))
    contrastive = gathered_info_nce(
        image_features, text_features, logit_scale, text_ids=pair_classes
    )
    return JointLoss(mu1 * classification + mu2 * contrastive, classification, contrastive)


def _check(class_logits: Tensor, labels: Tensor) -> None:
    logits, ids = tuple(class_logits.shape), tuple(labels.shape)
    integer = not (labels.is_floating_point() or labels.is_complex())
    if len(logits) != 2 or logits[0] == 0 or ids != logits[:1] or not integer:
        raise ValueError(f"class logits {logits} and labels {ids} must be (n, c) and n integers")


def _full(value: Tensor) -> Tensor:
    return value.float() if value.dtype in _HALF else value
