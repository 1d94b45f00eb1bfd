"""Pixel loss of masked patches (He et al. 2022, arXiv 2111.06377; EndoVLM, section 2.4)."""

from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import mse_loss

_EPS: Final = 1e-6


def masked_errors(
    predicted: Tensor, patches: Tensor, is_masked: Tensor, *, norm_pix_loss: bool = True
) -> Tensor:
    """Mean squared error of each frame's masked patches; visible patches do not count.

    Args:
        predicted: (n, N, P) for n frames of N patches of P numbers; pixels, or pixels in units of
            their own patch where ``norm_pix_loss``.
        patches: (n, N, P), the true pixels; no gradient goes to them.
        is_masked: (n, N) booleans.
        norm_pix_loss: compare with patches brought to mean 0 and deviation 1 each.

    Returns:
        (n,); its mean over frames is the loss, in float32 where the input is of half precision.

    Raises:
        ValueError: shapes or types do not fit, there is no frame, or a frame has no masked patch.
    """
    if predicted.shape != patches.shape or predicted.ndim != 3 or len(predicted) == 0:
        raise ValueError(
            f"predicted {tuple(predicted.shape)} and patches {tuple(patches.shape)} must be equal "
            "(n, N, P) with at least one frame"
        )
    if is_masked.shape != predicted.shape[:2] or is_masked.dtype != torch.bool:
        raise ValueError(
            f"is_masked {tuple(is_masked.shape)} {is_masked.dtype} must be booleans of shape "
            f"{tuple(predicted.shape[:2])}"
        )
    counts = is_masked.sum(dim=1)
    unmasked = (counts == 0).nonzero().flatten().tolist()
    if unmasked:
        raise ValueError(f"frames {unmasked} have no masked patch; nothing is to be reconstructed")
    target = patches.detach()
    with torch.autocast(target.device.type, enabled=False):
        target = target.float() if target.dtype in (torch.float16, torch.bfloat16) else target
        if norm_pix_loss:
            target, _, deviation = _centred(target)
            target.div_(deviation)
        squared = mse_loss(predicted.to(target.dtype), target, reduction="none").sum(dim=2)
        of_patches = squared.masked_fill(~is_masked, 0) / target.shape[2]
        return of_patches.sum(dim=1) / counts


def patch_statistics(patches: Tensor) -> tuple[Tensor, Tensor]:
    """Mean and deviation of each patch, (..., 1) each, by which ``norm_pix_loss`` normalises.

    The deviation is the unbiased one of He et al.'s code and never 0: a patch of one colour has a
    target of 0 everywhere.

    Args:
        patches: (..., P), P at least 2.
    """
    _, mean, deviation = _centred(patches)
    return mean, deviation


def _centred(patches: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Patches less their mean, the mean, and the deviation."""
    mean = patches.mean(dim=-1, keepdim=True)
    centred = patches - mean
    length = torch.linalg.vector_norm(centred, dim=-1, keepdim=True)
    variance = length.square() / (patches.shape[-1] - 1)
    return centred, mean, (variance + _EPS).sqrt()
