"""The optimiser of a training, and the bound that is kept after its steps."""

import math

import torch
from torch import nn
from torch.optim import AdamW, Optimizer

from endoalign.training.groups import parameter_groups
from endoalign.training.job import TrainingJob


def adamw(model: nn.Module, job: TrainingJob) -> Optimizer:
    """AdamW with the parameter groups of `groups`, fused where the device can."""
    device = next(model.parameters()).device.type
    return AdamW(
        parameter_groups(model, job.weight_decay),
        lr=job.learning_rate,
        betas=(job.beta1, job.beta2),
        eps=job.eps,
        fused=device in {"cpu", "cuda"},
    )


def clamp_logit_scale(model: nn.Module, most: float) -> torch.Tensor:
    """Hold the logit scale between 1 and ``most``; returns it, a copy."""
    with torch.no_grad():
        parameter: torch.Tensor = model.logit_scale  # type: ignore[assignment]
        parameter.clamp_(0, math.log(most))
        return parameter.exp()
