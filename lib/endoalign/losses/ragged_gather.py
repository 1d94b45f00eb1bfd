"""Means and rows over all processes where each holds another number of them, exact gradients."""

import torch
import torch.distributed as dist
from torch import Tensor
from torch.nn.functional import pad

from endoalign.losses.distributed import gather_rows
from endoalign.losses.psaa import fine_grained_loss, soft_targets


def gathered_fine_grained_loss(
    visual_features: Tensor,
    text_features: Tensor,
    regions: Tensor,
    abnormal: Tensor,
    logit_scale: Tensor,
    *,
    target_power: float = 1.0,
) -> Tensor:
    """Fine-grained loss (EndoVLM, eqs. 3 to 5) over the units of all processes.

    Targets and candidates are those of the whole batch, and no feature is detached. Let the
    parameters' gradients be averaged over processes, as DDP does: they then equal those of one
    process with the whole batch. The value is the same on every process. Every process must call
    this equally often. Without a process group it is `fine_grained_loss` of `soft_targets`.

    Args:
        visual_features: (M, d), this process's, unit norm; M may differ between processes.
        text_features: (M, d), this process's, unit norm.
        regions: (M,) integers, the anatomical labels.
        abnormal: (M,) booleans, the pathological status.
        logit_scale: scalar, already exponentiated, equal on every process.
        target_power: of the targets' cosines (`soft_targets`).

    Raises:
        ValueError: shapes or types do not fit.
    """
    if several_processes():
        d = visual_features.shape[1]
        labels = torch.stack([regions.long(), abnormal.long()], dim=1)
        joined = gather_ragged_rows(torch.cat([visual_features, text_features], dim=1))
        labels = gather_ragged_rows(labels)
        visual_features, text_features = joined[:, :d], joined[:, d:]
        regions, abnormal = labels[:, 0], labels[:, 1].bool()
    targets = soft_targets(text_features, regions, abnormal, power=target_power)
    return fine_grained_loss(visual_features, text_features, targets, logit_scale)


def gather_ragged_rows(rows: Tensor) -> Tensor:
    """Rows of all processes in the order of their ranks; each may hold another number of them.

    The gradient of this process's rows is the sum of what all processes say about them.

    Args:
        rows: (n, d), d and the type equal on every process.

    Returns:
        (sum of n, d).
    """
    own = torch.tensor([len(rows)], device=rows.device)
    counts = gather_rows(own)
    most = int(counts.max())
    every = gather_rows(pad(rows, (0, 0, 0, most - len(rows))))
    is_row = torch.arange(most, device=rows.device) < counts[:, None]
    return every[is_row.flatten()]


def mean_of_all(values: Tensor) -> Tensor:
    """Mean of the values (n,) of all processes, n at least 1 and different on each.

    The mean over processes of what is returned is the mean of all values, and the gradients,
    averaged over processes, are those of it.
    """
    if not several_processes():
        return values.mean()
    count = torch.tensor(float(len(values)), device=values.device)
    dist.all_reduce(count)
    return values.sum() * (dist.get_world_size() / count)


def several_processes() -> bool:
    """Whether a process group of more than one process is at work."""
    return dist.is_available() and dist.is_initialized() and dist.get_world_size() > 1
