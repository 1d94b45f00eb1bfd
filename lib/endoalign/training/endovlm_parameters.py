"""Which parameters of EndoVLM a training moves, and the bounds that are kept after each step."""

import math

import torch
from torch import Tensor
from torch.optim import AdamW

from endoalign.models.endovlm import EndoVlm
from endoalign.models.endovlm_batch import Plan
from endoalign.training.endovlm_settings import EndovlmTrainingSettings
from endoalign.training.groups import parameter_groups


def freeze_unused(model: EndoVlm, plan: Plan) -> None:
    """Freeze what a plan leaves out; processes would wait for its gradients in vain."""
    aligned = plan.use_global or plan.use_fine
    model.text_tower.requires_grad_(aligned and not model.text_tower.locked)
    for heads in (model.image_heads, model.text_heads):
        heads.requires_grad_(aligned)
        if heads.to_fine is not None:
            heads.to_global.requires_grad_(plan.use_global)
            heads.to_fine.requires_grad_(plan.use_fine)
    model.decoder.requires_grad_(plan.use_mae)
    model.global_logit_scale.requires_grad_(plan.use_global)
    model.fine_logit_scale.requires_grad_(plan.use_fine)


def adamw(model: EndoVlm, settings: EndovlmTrainingSettings) -> AdamW:
    """AdamW with the parameter groups of `groups`, fused where the device can."""
    device = model.fine_logit_scale.device.type
    return AdamW(
        parameter_groups(model, settings.weight_decay),
        lr=settings.highest_rate(),
        betas=(settings.beta1, settings.beta2),
        eps=settings.eps,
        fused=device in {"cpu", "cuda"},
    )


@torch.no_grad()
def clamp_logit_scales(model: EndoVlm, most: float) -> tuple[Tensor, Tensor]:
    """Hold both logit scales between 1 and ``most``; returns the global and the fine one."""
    both = model.global_logit_scale, model.fine_logit_scale
    for scale in both:
        scale.clamp_(0, math.log(most))
    return both[0].exp(), both[1].exp()
