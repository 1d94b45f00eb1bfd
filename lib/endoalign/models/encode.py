"""Features of pictures and texts; the encoder is left as it was found."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.short_texts import trim_padding

__all__ = ["encode_pixels", "encode_texts", "evaluating", "normalise_pixels", "trim_padding"]


def normalise_pixels(pixels: Tensor, encoder: DualEncoder) -> Tensor:
    """Pixels as the image tower takes them, on the device where they lie.

    Args:
        pixels: (n, 3, h, w) uint8, red, green, blue; or (n, width) float32, the pooled features
            of a frozen trunk (`frame_input.CachedLevels`), which pass as they are.

    Returns:
        (n, 3, h, w) float32: scaled to [0, 1], less the encoder's mean, by its deviation.

    Raises:
        TypeError: the pixels are not uint8.
        ValueError: the shape is not (n, 3, h, w).
    """
    if pixels.ndim == 2 and pixels.dtype == torch.float32:
        return pixels
    if pixels.dtype != torch.uint8:
        raise TypeError(f"pixels must be uint8, 0 to 255, not {pixels.dtype}")
    if pixels.ndim != 4 or pixels.shape[1] != 3:
        raise ValueError(f"pixels must have shape (n, 3, h, w), not {tuple(pixels.shape)}")
    mean, std = (
        torch.tensor(values, device=pixels.device).view(1, 3, 1, 1)
        for values in (encoder.mean, encoder.std)
    )
    return pixels.float().div_(255.0).sub_(mean).div_(std)


def encode_pixels(encoder: DualEncoder, pixels: Tensor) -> Tensor:
    """Image features of one batch.

    Args:
        pixels: (n, 3, S, S) uint8 with S the encoder's picture side, on any device; or (n, width)
            float32, the pooled features of its frozen trunk.

    Returns:
        (n, d) float32 of unit norm, on the encoder's device.

    Raises:
        TypeError: the pixels are not uint8.
        ValueError: the shape is not (n, 3, S, S).
    """
    side = encoder.image_size
    images = normalise_pixels(pixels.to(_device(encoder.model)), encoder)
    if images.ndim == 4 and images.shape[2:] != (side, side):
        raise ValueError(f"{encoder.name} takes {side} x {side} pixels, not {tuple(pixels.shape)}")
    if len(images) == 0:
        return images.new_zeros(0, encoder.feature_size)
    with evaluating(encoder.model):
        features = encoder.model(image=images)["image_features"]
    return normalize(features.float(), dim=-1)


def encode_texts(encoder: DualEncoder, texts: Sequence[str], *, batch_size: int = 256) -> Tensor:
    """Text features.

    Returns:
        (n, d) float32 of unit norm, on the encoder's device.

    Raises:
        TypeError: one string instead of several, or an entry that is no string.
        ValueError: ``batch_size`` is below 1.
    """
    if batch_size < 1:
        raise ValueError(f"batch_size must be at least 1, not {batch_size}")
    tokens = encoder.tokenize(texts)
    device = _device(encoder.model)
    features = [torch.zeros(0, encoder.feature_size, device=device)]
    with evaluating(encoder.model):
        for start in range(0, len(tokens), batch_size):
            shorter = trim_padding(tokens[start : start + batch_size], encoder).to(device)
            features.append(encoder.model(text=shorter)["text_features"].float())
        return normalize(torch.cat(features), dim=-1)


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Evaluation and inference mode inside; every module's own mode comes back outside."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        for module, mode in modes:
            module.training = mode


def _device(model: nn.Module) -> torch.device:
    return next(model.parameters()).device
