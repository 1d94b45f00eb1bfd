"""An EndoVLM model with all that is needed to feed it, and its features of pictures and texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from endoalign.models.encode import evaluating
from endoalign.models.endovlm import EndoVlm
from endoalign.models.endovlm_image import build_image_tower, normalisation
from endoalign.models.endovlm_settings import EndovlmModelSettings, without_places
from endoalign.models.endovlm_text import TextTokens, build_text_tower
from endoalign.models.patch_stem import patch_stem

Space = Literal["fine", "global"]
"""The space of single findings (section 2.2) or that of whole reports (equation 2)."""


@dataclass(frozen=True)
class EndovlmEncoder:
    """An EndoVLM model, its tokenizer and the normalisation of its pixels.

    Attributes:
        name: of the system, or of the checkpoint's folder.
        mean, std: what red, green and blue (each in [0, 1]) are less by, then divided by.
        started_from: what the weights are, in one line.
    """

    name: str
    model: EndoVlm
    tokenize: TextTokens
    mean: tuple[float, ...]
    std: tuple[float, ...]
    started_from: str

    @property
    def settings(self) -> EndovlmModelSettings:
        """What the model is."""
        return self.model.settings

    @property
    def image_size(self) -> int:
        """Side of the square pictures that the image tower takes, in pixels."""
        return self.settings.image_size

    @property
    def device(self) -> torch.device:
        """Where the model lies."""
        return self.model.fine_logit_scale.device

    def normalise(self, pixels: Tensor) -> Tensor:
        """Pictures (n, 3, h, w) from 0 to 255 as the image tower takes them, float32."""
        mean, std = (
            255 * torch.tensor(values, device=pixels.device).view(1, 3, 1, 1)
            for values in (self.mean, self.std)
        )
        return pixels.to(torch.float32, copy=True).sub_(mean).div_(std)

    def to_pixels(self, images: Tensor) -> Tensor:
        """Undo `normalise`: (n, 3, h, w) -> numbers from 0 to 255, for pictures to look at."""
        mean, std = (
            255 * torch.tensor(values, device=images.device).view(1, 3, 1, 1)
            for values in (self.mean, self.std)
        )
        return (images * std + mean).clamp(0, 255)


def build_endovlm(
    settings: EndovlmModelSettings, texts: Sequence[str], *, seed: int, name: str = "EndoVLM"
) -> EndovlmEncoder:
    """A model that starts from the weights its settings name, in training mode, on the CPU.

    Args:
        texts: propositions and reports, from which a tiny text tower learns its word pieces.
        seed: of new weights; torch's random state is left as it was.

    Raises:
        ValueError: an unknown image tower, or settings that do not fit one another.
        WeightsError: weights are not to be had.
    """
    image_tower = build_image_tower(settings, seed=seed)
    text_tower, tokenize = build_text_tower(settings, texts, seed=seed)
    model = EndoVlm(settings, image_tower, text_tower, seed=seed)
    mean, std = normalisation(image_tower)
    kept = without_places(settings)
    origin = (
        f"image tower {kept['image_tower']} ({kept['image_weights']}), text tower "
        f"{kept['text_tower']}, seed {seed}"
    )
    return EndovlmEncoder(name, model.train(), tokenize, mean, std, origin)


def encode_frames(encoder: EndovlmEncoder, pixels: Tensor, *, space: Space = "fine") -> Tensor:
    """Features of single frames.

    Args:
        pixels: (n, 3, S, S) uint8, S the encoder's picture side, on any device; or what a frozen
            stem says of them (`endovlm_input.open_endovlm_input`).

    Returns:
        (n, d) float32 of unit norm, on the encoder's device.

    Raises:
        TypeError: the pixels are not uint8.
        ValueError: the shape is not (n, 3, S, S), or n is 0.
    """
    images = _images(encoder, pixels)
    with evaluating(encoder.model):
        trunk = encoder.model.image_trunk(images)
        heads = encoder.model.image_heads
        return heads.finely(trunk) if space == "fine" else heads.globally(trunk)


def encode_propositions(
    encoder: EndovlmEncoder, texts: Sequence[str], *, space: Space = "fine", batch_size: int = 256
) -> Tensor:
    """Features of texts, propositions or (``space="global"``) reports: (n, d) of unit norm."""
    model, found = encoder.model, []
    with evaluating(model):
        for start in range(0, len(texts), batch_size):
            tokens = encoder.tokenize(texts[start : start + batch_size]).to(encoder.device)
            trunk = model.text_trunk(tokens)
            heads = model.text_heads
            found.append(heads.finely(trunk) if space == "fine" else heads.globally(trunk))
        empty = torch.zeros(0, encoder.settings.embed_dim, device=encoder.device)
        return torch.cat([empty, *found])


def backbone_features(encoder: EndovlmEncoder, pixels: Tensor) -> tuple[Tensor, Tensor]:
    """What probes and segmentation heads see of frames, before any projection.

    Returns:
        Class token and mean of the patches, (n, 2 width); and the patch tokens as a map,
        (n, width, S / patch, S / patch); without class and register tokens. Float32.
    """
    images = _images(encoder, pixels)
    tower = encoder.model.image_tower
    with evaluating(encoder.model):
        tokens = tower.forward_features(images).float()
        patches = tokens[:, tower.num_prefix_tokens :]
        pooled = torch.cat([tokens[:, 0], patches.mean(dim=1)], dim=1)
        rows, columns = tower.patch_embed.grid_size
        return pooled, patches.transpose(1, 2).reshape(len(patches), -1, rows, columns)


def _images(encoder: EndovlmEncoder, pixels: Tensor) -> Tensor:
    side = encoder.image_size
    stem = patch_stem(encoder.model.image_tower)
    known = None if stem is None else (stem.num_patches, stem.channels)
    if known == tuple(pixels.shape[1:]) and len(pixels):
        return pixels.float().to(encoder.device)
    if pixels.dtype != torch.uint8:
        raise TypeError(f"pixels must be uint8, 0 to 255, not {pixels.dtype}")
    if pixels.shape[1:] != (3, side, side) or len(pixels) == 0:
        raise ValueError(
            f"{encoder.name} takes pixels (n, 3, {side}, {side}), n at least 1, not "
            f"{tuple(pixels.shape)}"
        )
    return encoder.normalise(pixels.to(encoder.device))
