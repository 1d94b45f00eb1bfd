"""Parameter groups of the optimiser: what weight decay applies to."""

from typing import Any

from torch import nn


def parameter_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Two groups for AdamW: without decay and with it; OpenCLIP's rule.

    No decay for parameters of fewer than two dimensions (biases, gains, the logit scale) and for
    those whose name says that they are biases or belong to a normalisation layer. Frozen
    parameters are in neither group.
    """
    free: list[nn.Parameter] = []
    decayed: list[nn.Parameter] = []
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            named = any(word in name for word in ("bn", "ln", "bias", "logit_scale"))
            (free if parameter.ndim < 2 or named else decayed).append(parameter)
    return [
        {"params": free, "weight_decay": 0.0},
        {"params": decayed, "weight_decay": weight_decay},
    ]
