"""Training of the small segmentation network of the realism benchmark."""

import math
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from endoalign.evaluation.segmentation import dice_per_image
from endoalign.models.lite0 import IMAGENET_MEAN, IMAGENET_STD, Lite0Segmenter

BATCH: Final = 16
RATE: Final = 1e-3
_MEAN = torch.tensor(IMAGENET_MEAN).view(1, 3, 1, 1)
_STD = torch.tensor(IMAGENET_STD).view(1, 3, 1, 1)


def _uniform(low: float, high: float, count: int, chance: torch.Generator) -> Tensor:
    return low + (high - low) * torch.rand(count, 1, 1, 1, generator=chance)


def _moved(pictures: Tensor, masks: Tensor, chance: torch.Generator) -> tuple[Tensor, Tensor]:
    """Random rotation, mirror, scale, aspect and shift of pictures and masks alike."""
    count = len(pictures)
    turn = 2.0 * math.pi * torch.rand(count, generator=chance)
    scale = torch.exp(0.7 * (torch.rand(count, generator=chance) - 0.5))
    stretch = torch.exp(0.3 * (torch.rand(count, generator=chance) - 0.5))
    mirror = (torch.rand(count, generator=chance) < 0.5).float() * 2.0 - 1.0
    across = scale * stretch * mirror
    affine = torch.zeros(count, 2, 3)
    affine[:, 0, 0], affine[:, 0, 1] = turn.cos() * across, -turn.sin() * scale
    affine[:, 1, 0], affine[:, 1, 1] = turn.sin() * across, turn.cos() * scale
    affine[:, :, 2] = 0.4 * (torch.rand(count, 2, generator=chance) - 0.5)
    grid = functional.affine_grid(affine, list(pictures.shape), align_corners=False)
    return (
        functional.grid_sample(pictures, grid, align_corners=False),
        functional.grid_sample(masks, grid, align_corners=False),
    )


def _recoloured(pictures: Tensor, chance: torch.Generator) -> Tensor:
    """Random gain by channel, gamma, brightness, saturation, blur and noise."""
    count = len(pictures)
    pictures = pictures * torch.exp(0.35 * (torch.rand(count, 3, 1, 1, generator=chance) - 0.5))
    pictures = pictures.clamp(1e-4, 1.0) ** torch.exp(_uniform(-0.35, 0.35, count, chance))
    pictures = pictures * _uniform(0.7, 1.25, count, chance)
    grey = pictures.mean(1, keepdim=True)
    pictures = grey + (pictures - grey) * _uniform(0.5, 1.4, count, chance)
    soft = functional.avg_pool2d(pictures, 3, 1, 1)
    softer = functional.avg_pool2d(soft, 3, 1, 1)
    kind = torch.rand(count, 1, 1, 1, generator=chance)
    pictures = torch.where(kind < 0.15, softer, torch.where(kind < 0.35, soft, pictures))
    grain = torch.randn(pictures.shape, generator=chance)
    return (pictures + grain * _uniform(0.0, 0.05, count, chance)).clamp(0.0, 1.0)


def _loss(logits: Tensor, masks: Tensor) -> Tensor:
    """Cross-entropy plus soft Dice."""
    share = logits.sigmoid()
    overlap = 2.0 * (share * masks).sum((1, 2, 3)) + 1.0
    dice = overlap / (share.sum((1, 2, 3)) + masks.sum((1, 2, 3)) + 1.0)
    return functional.binary_cross_entropy_with_logits(logits, masks) + (1.0 - dice).mean()


def train(
    pictures: npt.NDArray[np.uint8], masks: npt.NDArray[np.bool_], epochs: int, seed: int
) -> Lite0Segmenter:
    """Network fitted to pictures (N, 128, 128, 3) and masks (N, 128, 128)."""
    torch.manual_seed(seed)
    chance = torch.Generator().manual_seed(seed)
    network = Lite0Segmenter().to(memory_format=torch.channels_last)
    groups = [
        {"params": network.backbone.parameters(), "lr": 0.5 * RATE},
        {"params": network.heads.parameters(), "lr": 3.0 * RATE},
    ]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    batches = len(pictures) // BATCH
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, [0.5 * RATE, 3.0 * RATE], total_steps=epochs * batches, pct_start=0.15
    )
    for _ in range(epochs):
        order = torch.randperm(len(pictures), generator=chance).numpy()
        for batch in range(batches):
            chosen = order[batch * BATCH : (batch + 1) * BATCH]
            x = torch.as_tensor(pictures[chosen]).permute(0, 3, 1, 2).float() / 255.0
            y = torch.as_tensor(masks[chosen])[:, None].float()
            x, y = _moved(x, y, chance)
            x = (_recoloured(x, chance) - _MEAN) / _STD
            loss = _loss(network(x.contiguous(memory_format=torch.channels_last)), y)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    return network


def mean_dice(
    network: Lite0Segmenter, pictures: npt.NDArray[np.uint8], masks: npt.NDArray[np.bool_]
) -> float:
    """Mean Dice@0.5 over images."""
    network.eval()
    shares = []
    with torch.inference_mode():
        for start in range(0, len(pictures), 40):
            x = torch.as_tensor(pictures[start : start + 40]).permute(0, 3, 1, 2).float() / 255.0
            shares.append(network((x - _MEAN) / _STD).sigmoid()[:, 0].numpy())
    return float(dice_per_image(np.concatenate(shares), masks).mean())
