"""LoRA of an image tower: put in, and merged (ENT-CLIP, section 3.3)."""

from typing import Any

from open_clip.transformer import VisionTransformer
from pydantic import BaseModel, ConfigDict, Field
from torch import nn

from endoalign.models.architecture import seeded
from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.lora_attention import PROJECTIONS, LoraAttention


class LoraSettings(BaseModel):
    """Rank, scale and dropout of the adapters (ENT-CLIP, section 4.1)."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    lora_rank: int = Field(4, ge=1, description="r: rows of A, columns of B")
    lora_alpha: float = Field(8.0, gt=0, description="alpha: what is added is scaled by alpha / r")
    lora_dropout: float = Field(0.1, ge=0, lt=1, description="of the adapters' input, in training")


def add_lora(encoder: DualEncoder, settings: LoraSettings, *, seed: int) -> list[LoraAttention]:
    """Put adapters into q, k and v of every block of the image tower, and freeze the rest of it.

    Returns:
        The adapted layers, in the order of the blocks.

    Raises:
        ValueError: the image tower is no vision transformer of OpenCLIP's own, its blocks have
            another kind of attention, or they are adapted already.
    """
    tower = vision_transformer(encoder)
    tower.requires_grad_(False)
    layers = []
    with seeded(seed):
        for place, block in enumerate(tower.transformer.resblocks):
            attention = getattr(block, "attn", None)
            if not isinstance(attention, nn.MultiheadAttention):
                kind = type(attention).__name__
                raise ValueError(f"{encoder.name}: block {place + 1} has {kind}: no LoRA for it")
            block.attn = LoraAttention(
                attention,
                rank=settings.lora_rank,
                alpha=settings.lora_alpha,
                dropout=settings.lora_dropout,
            ).train(tower.training)
            layers.append(block.attn)
    return layers


def merge_lora(encoder: DualEncoder) -> None:
    """Add every adapter to the matrix it adapts; the tower is a plain one of OpenCLIP afterwards.

    In evaluation its features are those of before, up to rounding. Nothing of it is trainable
    afterwards. A tower without adapters stays as it is.
    """
    for block in vision_transformer(encoder).transformer.resblocks:
        if isinstance(block.attn, LoraAttention):
            block.attn = block.attn.merged().requires_grad_(False)


def is_adapted(encoder: DualEncoder) -> bool:
    """Whether the image tower has adapters."""
    return any(isinstance(module, LoraAttention) for module in encoder.model.modules())


def named_adapters(encoder: DualEncoder) -> list[tuple[str, nn.Parameter]]:
    """Every A and B of the image tower, with its name there; none where it is not adapted."""
    parts = {f".attn.{name}.{matrix}" for name in PROJECTIONS for matrix in ("A", "B")}
    named = vision_transformer(encoder).named_parameters()
    return [(name, value) for name, value in named if any(name.endswith(part) for part in parts)]


def vision_transformer(encoder: DualEncoder) -> VisionTransformer:
    """The image tower; `ValueError` where it is no vision transformer of OpenCLIP's own."""
    tower: Any = encoder.model.visual
    if not isinstance(tower, VisionTransformer):
        raise ValueError(
            f"the image tower of {encoder.name} is {type(tower).__name__}; LoRA and fusion need "
            "a vision transformer of OpenCLIP's own, such as tiny-vit or ViT-B-16"
        )
    return tower
