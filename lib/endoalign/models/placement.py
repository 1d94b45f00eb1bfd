"""Where models compute: on the accelerator, where there is one."""

from typing import TypeVar

from endoalign.environment import device
from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.endovlm_encoder import EndovlmEncoder

Encoder = TypeVar("Encoder", DualEncoder, EndovlmEncoder)


def placed(encoder: Encoder) -> Encoder:
    """The encoder, its model moved to `environment.device`; loading leaves it on the CPU."""
    encoder.model.to(device())
    return encoder
