"""InfoNCE over the pairs of all processes, with exact gradients."""

from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor
from torch.autograd.function import once_differentiable

from endoalign.losses.info_nce import (
    check_pairs,
    check_text_ids,
    info_nce,
    same_text_targets,
    scaled_similarity,
    shared_mass,
    symmetric_cross_entropy,
)


def gathered_info_nce(
    image_features: Tensor,
    text_features: Tensor,
    logit_scale: Tensor,
    *,
    text_ids: Tensor | None,
    local_loss: bool = False,
) -> Tensor:
    """InfoNCE (`info_nce`, EndoCLIP equation 1) with every process's pairs as negatives.

    **Gradients.** Call ``backward`` on what is returned, unscaled, and let the parameters'
    gradients be averaged over the processes, as DDP does: they then equal those of `info_nce` on
    the whole batch in one process, the logit scale's included. (Each process's features get the
    sum of what all processes' losses say about them, W times the one-process gradient with W
    processes; the averaging divides by W.) Gradients averaged by nothing are W times too large.

    **Value.** With ``local_loss`` false, the loss of the whole batch, equal on every process. With
    ``local_loss`` true, the part of this process's own pairs against all candidates: its mean over
    the processes is the loss of the whole batch. That is the value to log.

    ``local_loss`` holds two (n, W n) matrices of logits instead of one of (W n, W n), which saves
    memory from three processes on; the gradients are the same.

    Every process must call this equally often. Without a process group, or with one process, it is
    `info_nce`.

    Args:
        image_features: (n, d), this process's, unit norm.
        text_features: (n, d), this process's, unit norm.
        logit_scale: scalar, already exponentiated, equal on every process.
        text_ids: (n,) integers, equal where texts are equal, on whichever process: pairs of one
            text share the target mass (`same_text_targets`). None means identity targets.
        local_loss: see above.

    Raises:
        ValueError: shapes do not fit, or the processes hold different numbers of pairs, feature
            sizes or only some of them text ids (raised on every process alike).
    """
    check_pairs(image_features, text_features, logit_scale)
    if text_ids is not None:
        check_text_ids(text_ids, len(image_features))
        text_ids = text_ids.to(image_features.device)
    if not _is_distributed():
        targets = None if text_ids is None else same_text_targets(text_ids)
        return info_nce(image_features, text_features, logit_scale, targets=targets)
    _check_alike(image_features, text_ids)
    # One gather for both kinds of features: one collective, and one order of them on all processes.
    joined = gather_rows(torch.cat([image_features, text_features], dim=1))
    d = image_features.shape[1]
    images, texts = joined[:, :d], joined[:, d:]
    ids = None if text_ids is None else gather_rows(text_ids)
    if not local_loss:
        targets = None if ids is None else same_text_targets(ids)
        return info_nce(images, texts, logit_scale, targets=targets)
    own = _own_targets(text_ids, ids, len(image_features), image_features.device)
    image_logits = scaled_similarity(image_features, texts, logit_scale)
    text_logits = scaled_similarity(text_features, images, logit_scale)
    return symmetric_cross_entropy(image_logits, text_logits, own, own)


def gather_rows(rows: Tensor) -> Tensor:
    """Rows of all processes in the order of their ranks: (n, ...) -> (W n, ...).

    The gradient of this process's rows is the sum of what all processes say about them. Every
    process must hold the same shape and type, and call it equally often.
    """
    gathered: Tensor = _GatherRows.apply(rows)
    return gathered


class _GatherRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, rows: Tensor) -> Tensor:
        ctx.length = len(rows)
        parts = [torch.empty_like(rows) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, rows.contiguous())
        return torch.cat(parts)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        # A copy: the sum is written in place, and autograd may hold the gradient elsewhere.
        total = gradient.clone(memory_format=torch.contiguous_format)
        dist.all_reduce(total)
        return total.narrow(0, dist.get_rank() * ctx.length, ctx.length)


def _own_targets(
    own_ids: Tensor | None, all_ids: Tensor | None, n: int, device: torch.device
) -> Tensor:
    """Targets of this process's rows among all columns: indices (n,), or masses (n, W n)."""
    if own_ids is None or all_ids is None:
        return torch.arange(n, device=device) + dist.get_rank() * n
    return shared_mass(own_ids, all_ids)


def _is_distributed() -> bool:
    return dist.is_available() and dist.is_initialized() and dist.get_world_size() > 1


def _check_alike(features: Tensor, text_ids: Tensor | None) -> None:
    """Raise on every process where the processes' batches differ in shape (a gather would hang)."""
    own = torch.tensor([*features.shape, int(text_ids is not None)], device=features.device)
    parts = [torch.empty_like(own) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, own)
    pairs, sizes, with_ids = torch.stack(parts).T.tolist()
    for name, values in (("pairs", pairs), ("feature sizes", sizes), ("text ids", with_ids)):
        if len(set(values)) > 1:
            raise ValueError(
                f"every process needs the same {name} in a batch; by rank they are {values}: "
                "drop the last incomplete batch, or fill it up"
            )
