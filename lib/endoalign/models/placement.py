"""Where models compute: on the accelerator, where there is one."""

from typing import TypeVar

import torch

from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.endovlm_encoder import EndovlmEncoder

Encoder = TypeVar("Encoder", DualEncoder, EndovlmEncoder)


def best_device() -> torch.device:
    """The accelerator that torch would use, else the processor."""
    found = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
    return torch.device("cpu") if found is None else found


def placed(encoder: Encoder) -> Encoder:
    """The encoder, its model moved to `best_device`; loading leaves it on the processor."""
    encoder.model.to(best_device())
    return encoder
