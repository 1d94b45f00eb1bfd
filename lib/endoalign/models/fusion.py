"""Multi-level feature aggregation (ENT-CLIP, section 3.4, equations 6 to 8)."""

from collections.abc import Sequence

import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor, nn

from endoalign.models.architecture import seeded
from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.lora import vision_transformer


class FusionSettings(BaseModel):
    """Size of the fusion transformer; the paper calls it light and gives no number.

    By these defaults it has 1.9 million parameters beside ViT-B/16; with adapters and classifier
    the method adds 2.1 million. Table 5 of the paper gives 2.6 million.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    fusion_layers: list[int] = Field(
        [3, 6, 9, 12], min_length=1, description="blocks whose CLS tokens are fused; the first is 1"
    )
    fusion_depth: int = Field(2, ge=1, description="blocks of the fusion transformer")
    fusion_width: int = Field(256, ge=8, description="width of its tokens")
    fusion_heads: int = Field(4, ge=1, description="attention heads of each of its blocks")
    fusion_dropout: float = Field(0.1, ge=0, lt=1, description="inside its blocks, in training")


class ClsFusion(nn.Module):
    """CLS tokens of several blocks and one learnable token through a light transformer.

    Tokens of early blocks have another size than those of late ones, so that each is normalised
    first; a learnable vector tells which block a token comes from, as a position does in a vision
    transformer.

    Args:
        levels: number K of CLS tokens.
        width: length of a CLS token.
        out: length of the result.

    Raises:
        ValueError: the width is no multiple of the heads.
    """

    def __init__(
        self, levels: int, width: int, out: int, settings: FusionSettings, *, seed: int
    ) -> None:
        super().__init__()
        inner, heads = settings.fusion_width, settings.fusion_heads
        if inner % heads:
            raise ValueError(
                f"fusion_width {inner} is no multiple of fusion_heads {heads}; take "
                f"{heads * max(1, round(inner / heads))}"
            )
        with seeded(seed):
            self.enter = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, inner))
            self.token = nn.Parameter(0.02 * torch.randn(inner))
            self.level = nn.Parameter(0.02 * torch.randn(levels + 1, inner))
            self.blocks = nn.ModuleList(
                nn.TransformerEncoderLayer(
                    inner,
                    heads,
                    dim_feedforward=4 * inner,
                    dropout=settings.fusion_dropout,
                    activation="gelu",
                    batch_first=True,
                    norm_first=True,
                )
                for _ in range(settings.fusion_depth)
            )
            self.leave = nn.Sequential(nn.LayerNorm(inner), nn.Linear(inner, out))

    def forward(self, tokens: Tensor) -> Tensor:
        """The fusion token after the transformer, (n, out).

        Args:
            tokens: (n, K, width) CLS tokens, early blocks first.

        Raises:
            ValueError: the number of tokens is not that of the levels.
        """
        if tokens.ndim != 3 or tokens.shape[1] != len(self.level) - 1:
            raise ValueError(
                f"tokens {tuple(tokens.shape)} must be (n, {len(self.level) - 1}, width)"
            )
        fusion = self.token.expand(len(tokens), 1, -1)
        sequence = torch.cat([fusion, self.enter(tokens)], dim=1) + self.level
        for block in self.blocks:
            sequence = block(sequence)
        fused: Tensor = self.leave(sequence[:, 0])
        return fused

    def start_at_zero(self) -> None:
        """Let the result be zero until training changes it, so that what it is added to stays."""
        for parameter in self.leave[1].parameters():
            nn.init.zeros_(parameter)


def check_layers(encoder: DualEncoder, layers: Sequence[int]) -> None:
    """Raise a `ValueError` unless ``layers`` are blocks of the image tower, rising."""
    depth = len(vision_transformer(encoder).transformer.resblocks)
    rising = list(layers) == sorted(set(layers))
    if not rising or not layers or layers[0] < 1 or layers[-1] > depth:
        even = sorted({max(1, round(depth * k / 4)) for k in range(1, 5)})
        raise ValueError(
            f"fusion_layers {list(layers)} must rise within 1 to {depth}, the blocks of "
            f"{encoder.name}; evenly spaced are {even}"
        )


def cls_tokens(
    encoder: DualEncoder, images: Tensor, layers: Sequence[int]
) -> tuple[Tensor, Tensor]:
    """Features of the tower and the CLS tokens of some of its blocks, in one pass (equation 6).

    Args:
        images: (n, 3, S, S), normalised as the tower takes them.
        layers: numbers of the blocks, the first is 1.

    Returns:
        The tower's features (n, d), not of unit norm, and tokens (n, K, width), those of the last
        block before the tower's own normalisation.
    """
    found = vision_transformer(encoder).forward_intermediates(
        images,
        indices=[layer - 1 for layer in layers],
        output_fmt="NLC",
        output_extra_tokens=True,
    )
    return found["image_features"], torch.cat(found["image_intermediates_prefix"], dim=1)
