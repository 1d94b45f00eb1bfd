"""Augmentation of ENT pictures (ENT-CLIP, section 4.1), a batch at once, on any device.

All chances are drawn beforehand, one set a picture and epoch (`chance`), so that a resumed training
draws the same.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import interpolate, pad

from endoalign.training.augmentation import jittered
from endoalign.training.chance import uniform
from endoalign.training.ent_blur import convolved, gaussian_kernels, motion_kernels
from endoalign.training.ent_settings import EntAugmentationSettings

Items = NDArray[np.int64]
FLIP_CHANCE: Final = 0.5


@dataclass(frozen=True)
class EntAugmentation:
    """Flips, blurs, colour and masked patches, in this order.

    Attributes:
        mirror: for each class, whether its mirror image is of the same class (the flip table).
        fill: red, green and blue of masked patches, 0 to 255.
    """

    settings: EntAugmentationSettings
    mirror: tuple[bool, ...]
    fill: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def apply(
        self, pixels: Tensor, labels: Items, *, seed: int, epoch: int, items: Items
    ) -> Tensor:
        """Augmented pictures.

        Args:
            pixels: (n, 3, S, S) uint8.
            labels: (n,) class of each picture, on which it depends whether it may be mirrored.
            items: (n,) numbers of the pictures, on which, with ``seed`` and ``epoch``, all depends.

        Returns:
            (n, 3, S, S) float32 from 0 to 255.
        """
        given = self.settings
        pictures = pixels.float()
        across, down = self.flips(labels, seed=seed, epoch=epoch, items=items)
        pictures = _flipped(_flipped(pictures, across, -1), down, -2)
        pictures = self._blurred(pictures, uniform("ent blur", seed, epoch, items, 5))
        if given.colour_change > 0:
            span = 2 * uniform("ent colour", seed, epoch, items, 3) - 1
            factors = torch.from_numpy(1 + given.colour_change * span).float()
            pictures = jittered(pictures, factors.to(pixels.device))
        if given.mask_share > 0:
            cells = grid_size(pixels.shape[-1], given.mask_patch) ** 2
            chances = torch.from_numpy(uniform("ent mask", seed, epoch, items, cells))
            hidden = masked_cells(chances, given.mask_share).to(pixels.device)
            pictures = _filled(pictures, hidden, given.mask_patch, self.fill)
        return pictures

    def flips(
        self, labels: Items, *, seed: int, epoch: int, items: Items
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which pictures are mirrored left to right and which upside down: (n,) each."""
        chance = uniform("ent flip", seed, epoch, items, 2) < FLIP_CHANCE
        table = np.array(self.mirror, dtype=bool)[labels]
        allowed = {
            "every": np.ones_like(table),
            "mirror_table": table,
            "never": np.zeros_like(table),
        }
        across = chance[:, 0] & allowed[self.settings.horizontal_flip]
        return across, chance[:, 1] & allowed[self.settings.vertical_flip]

    def _blurred(self, pictures: Tensor, chances: NDArray[np.float64]) -> Tensor:
        """Motion blur, Gaussian blur, both or neither; ``chances`` is (n, 5)."""
        given, longest = self.settings, self.settings.blur_extent * pictures.shape[-1]
        moved = torch.from_numpy(chances[:, 0] < given.motion_blur)
        smoothed = torch.from_numpy(chances[:, 1] < given.gaussian_blur)
        if not bool((moved | smoothed).any()):
            return pictures
        angle, length, width = torch.from_numpy(chances[:, 2:]).float().unbind(dim=1)
        reach = max(1, int(np.ceil(longest)))
        motion = motion_kernels(torch.pi * angle, torch.where(moved, longest * length, 0.0), reach)
        gauss = gaussian_kernels(torch.where(smoothed, longest / 2 * width, 0.0), reach)
        return convolved(convolved(pictures, motion), gauss)


def grid_size(side: int, patch: int) -> int:
    """Patches along a side; `ValueError` where the patch is larger than the picture."""
    if patch > side:
        raise ValueError(f"mask_patch {patch} is larger than the picture, {side} pixels")
    return side // patch


def masked_cells(chances: Tensor, share: float) -> Tensor:
    """The same number of cells in every picture, ``share`` of them rounded: (n, cells) bool."""
    count = round(share * chances.shape[1])
    return chances.argsort(dim=1).argsort(dim=1) < count


def _filled(
    pictures: Tensor, hidden: Tensor, patch: int, fill: tuple[float, float, float]
) -> Tensor:
    """Pictures whose hidden cells show ``fill``; a rest beyond the last whole patch stays."""
    n, _, height, width = pictures.shape
    cells = grid_size(width, patch)
    mask = interpolate(hidden.view(n, 1, cells, cells).float(), scale_factor=patch, mode="nearest")
    mask = pad(mask, (0, width - mask.shape[3], 0, height - mask.shape[2])).bool()
    colour = torch.tensor(fill, device=pictures.device).view(1, 3, 1, 1)
    return torch.where(mask, colour, pictures)


def _flipped(pictures: Tensor, which: NDArray[np.bool_], axis: int) -> Tensor:
    turned = torch.from_numpy(which).to(pictures.device)[:, None, None, None]
    return torch.where(turned, pictures.flip(axis), pictures)
