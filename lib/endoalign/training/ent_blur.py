"""Motion blur and Gaussian blur of a batch, each picture with a kernel of its own."""

import torch
from torch import Tensor
from torch.nn.functional import conv2d, pad


def motion_kernels(angles: Tensor, lengths: Tensor, reach: int) -> Tensor:
    """Kernels of a straight motion, (n, 2 reach + 1, 2 reach + 1), each of sum 1.

    Args:
        angles: (n,) radians from the x axis.
        lengths: (n,) pixels; 0 leaves the picture as it is.
        reach: pixels to either side of the middle, at least half of any length.
    """
    side, points = 2 * reach + 1, 4 * reach + 1
    along = torch.linspace(-0.5, 0.5, points)[None, :] * lengths[:, None]
    offset = torch.arange(side) - reach
    x, y = along * torch.cos(angles)[:, None], along * torch.sin(angles)[:, None]
    # Every point of the path is shared out among the four pixels around it.
    across = (1 - (offset[None, None, :] - x[:, :, None]).abs()).clamp(min=0)
    down = (1 - (offset[None, None, :] - y[:, :, None]).abs()).clamp(min=0)
    return torch.einsum("npy,npx->nyx", down, across) / points


def gaussian_kernels(sigmas: Tensor, reach: int) -> Tensor:
    """Gaussian kernels cut at ``reach`` pixels, (n, 2 reach + 1, 2 reach + 1), each of sum 1."""
    offset = (torch.arange(2 * reach + 1) - reach).float()
    line = torch.exp(-0.5 * (offset[None, :] / sigmas.clamp(min=1e-3)[:, None]) ** 2)
    line = line / line.sum(dim=1, keepdim=True)
    return line[:, :, None] * line[:, None, :]


def convolved(pictures: Tensor, kernels: Tensor) -> Tensor:
    """Each picture with its own kernel; beyond its edge a picture goes on with its outer pixels."""
    n, channels, height, width = pictures.shape
    reach = kernels.shape[-1] // 2
    wide = pad(pictures, (reach,) * 4, mode="replicate").flatten(0, 1)[None]
    weights = kernels.to(pictures.device).repeat_interleave(channels, dim=0)[:, None]
    return conv2d(wide, weights, groups=n * channels).reshape(n, channels, height, width)
