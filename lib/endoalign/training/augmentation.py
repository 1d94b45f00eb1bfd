"""Augmentation of a batch of pictures at once, on whichever device they lie.

OpenCLIP's default: a random crop of 90 to 100 % of the picture, stretched to the whole; no flip,
no change of colour. All chances are drawn beforehand, one set a pair and epoch (`chance`).
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import grid_sample

from endoalign.training.chance import uniform

ATTEMPTS: Final = 10
"""Crops tried before the whole picture is taken, as in torchvision."""
RATIOS: Final = (3 / 4, 4 / 3)
"""Width by height of a crop, log-uniform."""
_GREY: Final = (0.299, 0.587, 0.114)


@dataclass(frozen=True)
class Augmentation:
    """What is done: see `TrainingSettings` for the meaning of the three numbers."""

    min_crop: float = 0.9
    flip: bool = False
    colour_jitter: float = 0.0

    def apply(self, pixels: Tensor, *, seed: int, epoch: int, items: NDArray[np.int64]) -> Tensor:
        """Augmented pictures.

        Args:
            pixels: (n, 3, S, S) uint8.
            items: (n,) numbers of the pairs, on which, with ``seed`` and ``epoch``, all depends.

        Returns:
            (n, 3, S, S) float32 from 0 to 255.
        """
        pictures = pixels.float()
        if self.min_crop < 1:
            boxes = crop_boxes(
                uniform("crop", seed, epoch, items, 4 * ATTEMPTS), pixels.shape[-1], self.min_crop
            )
            pictures = resized_crops(pictures, torch.from_numpy(boxes))
        if self.flip:
            turned = torch.from_numpy(uniform("flip", seed, epoch, items, 1) < 0.5)
            turned = turned.to(pixels.device)[:, :, None, None]
            pictures = torch.where(turned, pictures.flip(-1), pictures)
        if self.colour_jitter > 0:
            span = 2 * uniform("colour", seed, epoch, items, 3) - 1
            factors = torch.from_numpy(1 + self.colour_jitter * span).float()
            pictures = jittered(pictures, factors.to(pixels.device))
        return pictures


def crop_boxes(chances: NDArray[np.float64], side: int, least: float) -> NDArray[np.int64]:
    """Random crops of a square picture, drawn as torchvision's RandomResizedCrop draws them.

    Args:
        chances: (n, 4 * `ATTEMPTS`) numbers in [0, 1).
        side: of the picture, pixels.
        least: smallest share of the area.

    Returns:
        (n, 4): top, left, height, width in pixels.
    """
    area, shape, down, across = np.moveaxis(chances.reshape(len(chances), ATTEMPTS, 4), -1, 0)
    pixels = side * side * (least + (1 - least) * area)
    low, high = map(math.log, RATIOS)
    ratio = np.exp(low + (high - low) * shape)
    width = np.rint(np.sqrt(pixels * ratio)).astype(np.int64)
    height = np.rint(np.sqrt(pixels / ratio)).astype(np.int64)
    fits = np.stack([width, height], axis=-1)
    fits = np.all((fits > 0) & (fits <= side), axis=-1)
    top = np.floor(down * (side - height + 1)).astype(np.int64)
    left = np.floor(across * (side - width + 1)).astype(np.int64)
    every = np.stack([top, left, height, width], axis=-1)
    chosen = every[np.arange(len(every)), fits.argmax(axis=1)]
    return np.where(fits.any(axis=1)[:, None], chosen, np.array([0, 0, side, side]))


def resized_crops(pictures: Tensor, boxes: Tensor) -> Tensor:
    """Crops stretched to the size of the pictures (bilinear), each picture with its own box.

    Args:
        pictures: (n, c, S, S) float.
        boxes: (n, 4) integers: top, left, height, width in pixels, inside the picture.
    """
    side = pictures.shape[-1]
    origin, extent = boxes[:, :2].double(), boxes[:, 2:].double()
    centres = (torch.arange(side, dtype=torch.float64) + 0.5) / side
    places = extent[:, :, None] * centres - 0.5
    # Beyond the centres of its outer pixels a crop goes on with those, not with its surroundings.
    places = origin[:, :, None] + places.clamp(min=0).minimum(extent[:, :, None] - 1)
    rows, columns = ((2 * places + 1) / side - 1).float().to(pictures.device).unbind(dim=1)
    grid = torch.stack(
        [columns[:, None, :].expand(-1, side, -1), rows[:, :, None].expand(-1, -1, side)], dim=-1
    )
    return grid_sample(pictures, grid, mode="bilinear", padding_mode="border", align_corners=False)


def jittered(pictures: Tensor, factors: Tensor) -> Tensor:
    """Brightness, contrast and saturation multiplied by factors, in this order.

    Args:
        pictures: (n, 3, S, S) float from 0 to 255.
        factors: (n, 3).
    """
    brightness, contrast, saturation = factors[:, :, None, None, None].unbind(dim=1)
    pictures = (pictures * brightness).clamp(0, 255)
    mean = _grey(pictures).mean(dim=(1, 2, 3), keepdim=True)
    pictures = (mean + contrast * (pictures - mean)).clamp(0, 255)
    grey = _grey(pictures)
    return (grey + saturation * (pictures - grey)).clamp(0, 255)


def _grey(pictures: Tensor) -> Tensor:
    weights = torch.tensor(_GREY, device=pictures.device).view(1, 3, 1, 1)
    return (pictures * weights).sum(dim=1, keepdim=True)
