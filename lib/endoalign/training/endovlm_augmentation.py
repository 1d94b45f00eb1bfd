"""Augmentation of endoscopy frames, which have no upright: size, turn, mirror and colour.

All chances are drawn beforehand, one set a frame and epoch (`chance`), so that a frame looks the
same each time it is asked for within a step.
"""

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import affine_grid, grid_sample

from endoalign.training.augmentation import jittered
from endoalign.training.chance import uniform


@dataclass(frozen=True)
class EndovlmAugmentation:
    """What is done: see `EndovlmTrainingSettings` for the meaning of the four numbers."""

    zoom: float = 0.25
    rotation: float = 180.0
    flip: bool = True
    colour_jitter: float = 0.2

    def apply(self, pixels: Tensor, *, seed: int, epoch: int, items: NDArray[np.int64]) -> Tensor:
        """Augmented pictures.

        Args:
            pixels: (n, 3, S, S) uint8.
            items: (n,) numbers of the frames, on which, with ``seed`` and ``epoch``, all depends.

        Returns:
            (n, 3, S, S) float32 from 0 to 255; what lies beyond the picture is black, as the
            surround of an endoscope is.
        """
        pictures = pixels.float()
        if self.zoom > 0 or self.rotation > 0 or self.flip:
            chances = uniform("endovlm place", seed, epoch, items, 6)
            motion = torch.from_numpy(self._motions(chances)).float().to(pixels.device)
            grid = affine_grid(motion, list(pictures.shape), align_corners=False)
            pictures = grid_sample(pictures, grid, mode="bilinear", align_corners=False)
        if self.colour_jitter > 0:
            span = 2 * uniform("endovlm colour", seed, epoch, items, 3) - 1
            factors = torch.from_numpy(1 + self.colour_jitter * span).float()
            pictures = jittered(pictures, factors.to(pixels.device))
        return pictures

    def _motions(self, chances: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, 2, 3): where each place of the new picture comes from, in halves of its side."""
        size = 1 + self.zoom * (2 * chances[:, 0] - 1)
        angle = math.radians(self.rotation) * (2 * chances[:, 1] - 1)
        mirror = np.where(self.flip & (chances[:, 2:4] < 0.5), -1.0, 1.0)
        # An enlarged picture is seen in part, a smaller one lies somewhere in the whole.
        shift = np.abs(1 - 1 / size)[:, None] * (2 * chances[:, 4:6] - 1)
        turn = np.stack([np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)], axis=1)
        motion = turn.reshape(-1, 2, 2) * mirror[:, None, :] / size[:, None, None]
        return np.concatenate([motion, shift[:, :, None]], axis=2)
