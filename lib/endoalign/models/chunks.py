"""Many frames through a tower, some at a time, in the memory of those few."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint


def in_chunks(
    function: Callable[[Tensor], Tensor], rows: Tensor, *, size: int | None, recompute: bool
) -> Tensor:
    """``function`` of all rows, joined; it must give a row for each row.

    Args:
        function: of some of ``rows``; the same whenever it is asked, dropout apart, whose random
            state is kept.
        rows: (n,) n at least 1.
        size: rows at a time; None: all.
        recompute: where there are several chunks, keep none of their inner results for backward
            but compute them again (activation checkpointing, Chen et al. 2016, arXiv 1604.06174).
    """
    parts = torch.split(rows, len(rows) if size is None else size)
    if not recompute or len(parts) == 1 or not torch.is_grad_enabled():
        return torch.cat([function(part) for part in parts])
    # Without reentry, so that parameters that are used by every chunk and by none else get their
    # gradients, also where processes exchange them.
    return torch.cat([checkpoint(function, part, use_reentrant=False) for part in parts])
