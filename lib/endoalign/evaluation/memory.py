"""What a computation keeps in memory for its backward pass, without running it for real."""

from collections.abc import Callable

import torch
from torch import Tensor


def saved_bytes(function: Callable[[], object]) -> int:
    """Bytes that autograd keeps while ``function`` runs, each storage once, parameters apart.

    On tensors of the device ``meta`` nothing is computed, so that a large model can be measured on
    a small machine.

    Args:
        function: a forward pass with gradients.
    """
    found: dict[int, tuple[Tensor, int]] = {}

    def keep(tensor: Tensor) -> Tensor:
        if not isinstance(tensor, torch.nn.Parameter) and tensor.untyped_storage().nbytes():
            storage = tensor.untyped_storage()
            found[storage._cdata] = (tensor, storage.nbytes())  # held, so that no address returns
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        kept = function()
    del kept
    return sum(size for _, size in found.values())
