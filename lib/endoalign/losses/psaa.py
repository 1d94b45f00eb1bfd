"""Fine-grained part of progressive semantic-aware alignment (EndoVLM, section 2.3, eqs. 3 to 5).

Its global part, equation 2, is `info_nce` over cases.
"""

from typing import Any, Final

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from endoalign.losses.info_nce import check_logit_scale

_HALF: Final = (torch.float16, torch.bfloat16)
_BLOCK: Final = 128
"""Rows of the logits that are at work at once: what is held besides them stays small."""


@torch.no_grad()
def soft_targets(
    text_features: Tensor, regions: Tensor, abnormal: Tensor, *, power: float = 1.0
) -> Tensor:
    r"""Taxonomy-aware targets (equation 4): how each unit's mass is spread over all units.

    .. math::
        \hat y_{uk} = 1 \text{ if } a_u = a_k, h_u = h_k = 0; \quad
        \langle t_u, t_k \rangle \text{ if } a_u = a_k \text{ and } (h_u = 1 \text{ or } h_k = 1);
        \quad 0 \text{ else}

    Cosines are clamped to [0, 1] and each unit's own mass is 1, so that a target is never negative
    and a unit always has the largest one; then rows are brought to a sum of 1.

    Args:
        text_features: (M, d), unit norm.
        regions: (M,) integers, the anatomical label a.
        abnormal: (M,) booleans, the pathological status h.
        power: of the cosines, 1 in the paper. Statements of one region are alike for that alone,
            so that a normal one may hold much of an abnormal one's mass; a power above 1 takes
            mass from what is less alike, and leaves an abnormal unit its own.

    Returns:
        (M, M), of the features' type (float32 for half precision); it has no gradient.

    Raises:
        ValueError: shapes or types do not fit, there is no unit, or the power is not above 0.
    """
    _check_units(text_features, regions, abnormal)
    if not power > 0:
        raise ValueError(f"power {power} must be above 0")
    texts = text_features.float() if text_features.dtype in _HALF else text_features
    targets = texts.new_zeros(len(texts), len(texts))
    for region in torch.unique(regions):  # other regions have no mass: no product is spent on them
        own = (regions == region).nonzero().flatten()
        targets[own[:, None], own] = _targets_of_one_region(texts[own], ~abnormal[own], power)
    return targets


def _targets_of_one_region(texts: Tensor, normal: Tensor, power: float) -> Tensor:
    with torch.autocast(texts.device.type, enabled=False):
        mass = (texts @ texts.T).clamp_(0, 1).pow_(power)
    mass.masked_fill_(normal[:, None] & normal, 1).fill_diagonal_(1)
    return mass.div_(mass.sum(dim=1, keepdim=True))


def fine_grained_loss(
    visual_features: Tensor, text_features: Tensor, targets: Tensor, logit_scale: Tensor
) -> Tensor:
    r"""Cross-entropy of visual units over texts and of texts over visual units (eqs. 3 and 5).

    .. math::
        L_{fg} = \frac{1}{2M} \sum_u \big[ CE(y_u, p_u^{v2t}) + CE(y_u, p_u^{t2v}) \big]

    Half-precision features are taken to float32 first, also under autocast. The gradient of the
    logits is written over the logits while the loss is computed, so that (M, M) is held once and
    not six times. Gradients of gradients are not to be had.

    Args:
        visual_features: (M, d), unit norm, z; row u belongs to row u of the texts.
        text_features: (M, d), unit norm, t.
        targets: (M, M), y of `soft_targets`; rows sum to 1. Both directions use its rows.
        logit_scale: scalar, 1 / tau (already exponentiated).

    Returns:
        Scalar loss. A NaN in the input raises no error but gives NaN.

    Raises:
        ValueError: shapes do not fit, or there is no unit.
    """
    visual, texts = tuple(visual_features.shape), tuple(text_features.shape)
    if len(visual) != 2 or visual != texts or visual[0] == 0:
        raise ValueError(
            f"visual features {visual} and text features {texts} must be equal (M, d), M >= 1"
        )
    if targets.shape != (visual[0], visual[0]):
        raise ValueError(f"targets {tuple(targets.shape)} must be ({visual[0]}, {visual[0]})")
    check_logit_scale(logit_scale)
    both = [x.float() if x.dtype in _HALF else x for x in (visual_features, text_features)]
    scale = logit_scale.to(both[0].dtype)
    with torch.autocast(both[0].device.type, enabled=False):
        loss: Tensor = _TwoWayCrossEntropy.apply(*both, targets.to(both[0].dtype), scale)
    return loss


class _TwoWayCrossEntropy(torch.autograd.Function):
    """As rows of targets y sum to 1, 2M L = sum of both log-sum-exps - sum of (y + y^T) S.

    The gradient of logits S is then softmax over rows + softmax over columns - (y + y^T).
    """

    @staticmethod
    def forward(ctx: Any, visual: Tensor, texts: Tensor, targets: Tensor, scale: Tensor) -> Tensor:
        logits = (visual @ texts.T).mul_(scale)
        of_rows = torch.cat([part.logsumexp(1) for part in torch.split(logits, _BLOCK)])
        of_columns = torch.cat([part.logsumexp(0) for part in torch.split(logits, _BLOCK, 1)])
        total = of_rows.sum() + of_columns.sum()
        of_scale = torch.zeros_like(scale)
        for start in range(0, len(logits), _BLOCK):
            own = logits[start : start + _BLOCK]
            # Rows come first in the sum, so that it is laid out as they are.
            mass = targets[start : start + _BLOCK] + targets[:, start : start + _BLOCK].T
            total -= mass.flatten().dot(own.flatten())
            gradient = (own - of_rows[start : start + _BLOCK, None]).exp_()
            gradient += (own - of_columns).exp_()
            gradient -= mass
            of_scale += gradient.flatten().dot(own.flatten())
            own.copy_(gradient)
        ctx.save_for_backward(logits, visual, texts, scale, of_scale / scale)
        return total / (2 * len(logits))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None, Tensor]:
        of_logits, visual, texts, scale, of_scale = ctx.saved_tensors
        share = gradient / (2 * len(of_logits))
        of_visual = (of_logits @ texts).mul_(share * scale)
        of_texts = (of_logits.T @ visual).mul_(share * scale)
        return of_visual, of_texts, None, share * of_scale


def _check_units(text_features: Tensor, regions: Tensor, abnormal: Tensor) -> None:
    shape = tuple(text_features.shape)
    if len(shape) != 2 or shape[0] == 0:
        raise ValueError(f"text features {shape} must be (M, d) with at least one unit")
    if regions.shape != shape[:1] or regions.is_floating_point() or regions.is_complex():
        raise ValueError(
            f"regions {tuple(regions.shape)} {regions.dtype} must be integers of shape {shape[:1]}"
        )
    if abnormal.shape != shape[:1] or abnormal.dtype != torch.bool:
        raise ValueError(
            f"abnormal {tuple(abnormal.shape)} {abnormal.dtype} must be booleans of shape "
            f"{shape[:1]}"
        )
