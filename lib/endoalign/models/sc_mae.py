"""The masked autoencoder of EndoVLM (section 2.4; He et al. 2022, arXiv 2111.06377)."""

import math
from dataclasses import dataclass

import torch
from timm.models.vision_transformer import Block, VisionTransformer
from torch import Tensor, nn

from endoalign.models.patches import cut, hidden_mask, put_back, visible_patches


@dataclass(frozen=True)
class Reconstruction:
    """What the decoder made of n frames of N patches of P numbers.

    Attributes:
        predicted: (n, N, P); in units of each patch where the loss is normalised by patch.
        patches: (n, N, P), the true pixels as the encoder took them.
        is_masked: (n, N), the patches that the encoder did not see.
    """

    predicted: Tensor
    patches: Tensor
    is_masked: Tensor


class MaskedDecoder(nn.Module):
    """Visible patch tokens to pixels of all patches: a narrow transformer.

    Args:
        encoder_width: of the tokens that come in.
        grid: rows and columns of patches.
        patch_numbers: P, numbers a patch.
    """

    def __init__(
        self,
        encoder_width: int,
        grid: tuple[int, int],
        patch_numbers: int,
        *,
        width: int = 512,
        depth: int = 8,
        heads: int = 16,
    ) -> None:
        super().__init__()
        if width % 4 or width % heads:
            raise ValueError(
                f"decoder_width {width} must be a multiple of 4 and of decoder_heads {heads}"
            )
        self.embed = nn.Linear(encoder_width, width)
        self.mask_token = nn.Parameter(torch.zeros(width))
        self.blocks = nn.Sequential(*(Block(width, heads, qkv_bias=True) for _ in range(depth)))
        self.norm = nn.LayerNorm(width)
        self.to_pixels = nn.Linear(width, patch_numbers)
        self.register_buffer("places", sine_places(grid, width), persistent=False)
        self.apply(_start)
        nn.init.normal_(self.mask_token, std=0.02)

    def forward(self, tokens: Tensor, visible: Tensor) -> Tensor:
        """Pixels (n, N, P) from tokens (n, V, encoder width) of the patches ``visible`` (n, V)."""
        places: Tensor = self.places  # type: ignore[assignment]
        whole = put_back(self.embed(tokens), visible, self.mask_token, len(places))
        pixels: Tensor = self.to_pixels(self.norm(self.blocks(whole + places)))
        return pixels


def reconstruct(
    tower: VisionTransformer,
    decoder: MaskedDecoder,
    images: Tensor,
    chances: Tensor,
    *,
    mask_ratio: float = 0.75,
    tokens: Tensor | None = None,
) -> Reconstruction:
    """Hide patches of pictures, encode the others, and decode all.

    Args:
        images: (n, 3, H, W), normalised as the tower takes them.
        chances: (n, N) numbers in [0, 1) that choose what is hidden (`visible_patches`).
        tokens: what a frozen stem says of the pictures, where it is known beforehand.
    """
    visible = visible_patches(chances, mask_ratio)
    taken = images if tokens is None else tokens
    predicted = decoder(encode_visible(tower, taken, visible), visible)
    is_masked = hidden_mask(visible, chances.shape[1])
    return Reconstruction(predicted, cut(images, patch_side(tower)), is_masked)


def encode_visible(tower: VisionTransformer, images: Tensor, visible: Tensor) -> Tensor:
    """Tokens of visible patches from a tower that sees nothing else: (n, V, width).

    Class and register tokens take part, and are stripped from what is returned: they stand at no
    place of the picture.

    Args:
        images: (n, 3, H, W), or tokens (n, N, channels) of a frozen stem, of which only the visible
            ones are embedded.
    """
    prefix = tower.num_prefix_tokens
    if images.ndim == 3:
        own = visible[:, :, None].expand(-1, -1, images.shape[2])
        embedded = tower.patch_embed(images.gather(1, own))
        nothing = embedded.new_zeros(embedded.shape[2])
        tokens = tower._pos_embed(put_back(embedded, visible, nothing, images.shape[1]))
    else:
        tokens = tower._pos_embed(tower.patch_embed(images))
    places = visible[:, :, None].expand(-1, -1, tokens.shape[2])
    kept = torch.cat([tokens[:, :prefix], tokens[:, prefix:].gather(1, places)], dim=1)
    encoded: Tensor = tower.norm(tower.blocks(tower.norm_pre(kept)))
    return encoded[:, prefix:]


def patch_side(tower: VisionTransformer) -> int:
    """Side of a patch in pixels."""
    height, width = tower.patch_embed.patch_size
    if height != width:
        raise ValueError(f"patches must be square, this tower has {height} x {width} pixels")
    return int(height)


def sine_places(grid: tuple[int, int], width: int) -> Tensor:
    """Fixed sine and cosine embedding of the places of a grid: (rows * columns, ``width``).

    The first half of the numbers tells the column, the second the row (Vaswani et al. 2017).
    """
    rows, columns = grid
    steps = torch.arange(width // 4, dtype=torch.float64) / (width // 4)
    rates = torch.exp(-math.log(10_000.0) * steps)
    row, column = torch.meshgrid(
        torch.arange(rows).double(), torch.arange(columns).double(), indexing="ij"
    )
    angles = [place.reshape(-1, 1) * rates for place in (column, row)]
    return torch.cat([f(a) for a in angles for f in (torch.sin, torch.cos)], dim=1).float()


def _start(module: nn.Module) -> None:
    """He et al.'s start: Xavier for matrices, 0 for biases."""
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)
        nn.init.zeros_(module.bias)
