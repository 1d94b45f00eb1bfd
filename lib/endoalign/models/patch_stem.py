"""Patches of a vision transformer seen through frozen convolutions: much from few examinations.

A hybrid vision transformer (Dosovitskiy et al. 2020, section 3.1) takes its tokens from a
convolutional net. Here each patch goes through EfficientNet-Lite0 by itself, so that no token knows
anything of its neighbours and a masked autoencoder cannot look behind its mask. The convolutions
keep their ImageNet weights; what they say of a frame never changes and is computed once.
"""

from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn.functional import interpolate

from endoalign.models.lite0 import build_lite0

LEVELS: Final = (2, 3, 4)
"""Blocks whose channels are pooled over a patch, mean and maximum: 40, 80 and 112 of them."""
SEEN_SIDE: Final = 32
"""Side in pixels to which smaller patches are enlarged: the deeper blocks see 1/16 of it."""


class Lite0Patches(nn.Module):
    """Patch embedding for timm's ``embed_layer``: (n, 3, S, S) -> (n, patches, width).

    Takes pictures normalised as ImageNet's, or what `tokens` gave for them. Only the projection is
    trained.

    Args:
        img_size, patch_size: sides in pixels.
        embed_dim: width of the transformer.
        dropout: of the pooled channels, in training; a channel is dropped in all patches of a
            frame at once (Tompson et al. 2015, arXiv 1411.4280).
    """

    centre: Tensor
    spread: Tensor

    def __init__(
        self,
        img_size: int,
        patch_size: int,
        in_chans: int = 3,
        embed_dim: int = 192,
        bias: bool = True,
        dropout: float = 0.5,
        **_: Any,
    ) -> None:
        super().__init__()
        if img_size % patch_size or in_chans != 3:
            raise ValueError(
                f"patch_stem lite0: image_size {img_size} must be a multiple of patch_size "
                f"{patch_size}, of three colours"
            )
        side = img_size // patch_size
        self.img_size, self.patch_size = (img_size, img_size), (patch_size, patch_size)
        self.grid_size, self.num_patches = (side, side), side * side
        whole: Any = build_lite0(pretrained=False)
        self.conv_stem, self.bn1 = whole.conv_stem, whole.bn1
        self.blocks = whole.blocks[: LEVELS[-1] + 1]
        for frozen in self._frozen():
            frozen.requires_grad_(False)
        self.channels = 2 * sum(self.blocks[level][-1].bn3.num_features for level in LEVELS)
        self.register_buffer("centre", torch.zeros(self.channels))
        self.register_buffer("spread", torch.ones(self.channels))
        self.drop = nn.Dropout1d(dropout)
        self.proj = nn.Linear(self.channels, embed_dim, bias=bias)

    def _frozen(self) -> tuple[nn.Module, ...]:
        return self.conv_stem, self.bn1, self.blocks

    def train(self, mode: bool = True) -> "Lite0Patches":
        """Set the mode; the frozen convolutions stay in evaluation mode."""
        super().train(mode)
        for frozen in self._frozen():
            frozen.eval()
        return self

    def fill(self) -> None:
        """Take the packaged ImageNet weights; `ModuleNotFoundError` where they are missing."""
        known = build_lite0().state_dict()
        own = {f"{name}." for name in ("conv_stem", "bn1", "blocks")}
        wanted = [name for name in self.state_dict() if name.startswith(tuple(own))]
        self.load_state_dict(self.state_dict() | {name: known[name] for name in wanted})

    def tokens(self, pictures: Tensor) -> Tensor:
        """Pooled channels (n, patches, channels) of pictures (n, 3, S, S): what never changes."""
        (rows, columns), (side, _) = self.grid_size, self.patch_size
        cut = pictures.reshape(len(pictures), 3, rows, side, columns, side)
        patches = cut.permute(0, 2, 4, 1, 3, 5).flatten(0, 2)
        found = []
        with torch.no_grad():
            if side < SEEN_SIDE:
                patches = interpolate(patches, size=SEEN_SIDE, mode="bicubic", align_corners=False)
            maps = patches.contiguous(memory_format=torch.channels_last)
            maps = self.bn1(self.conv_stem(maps))
            for number, block in enumerate(self.blocks):
                maps = block(maps)
                if number in LEVELS:
                    found += [maps.mean(dim=(2, 3)), maps.amax(dim=(2, 3))]
        return torch.cat(found, dim=1).reshape(len(pictures), self.num_patches, self.channels)

    def standardise_by(self, tokens: Tensor) -> None:
        """Take centre and spread of each channel from tokens (n, patches, channels)."""
        flat = tokens.flatten(0, 1).double()
        self.centre.copy_(flat.mean(dim=0))
        self.spread.copy_(flat.std(dim=0, correction=0) + 1e-4)

    def forward(self, pictures: Tensor) -> Tensor:
        """Embedded patches (n, patches, width); see the class."""
        tokens = pictures if pictures.ndim == 3 else self.tokens(pictures)
        standard = ((tokens - self.centre) / self.spread).transpose(1, 2)
        embedded: Tensor = self.proj(self.drop(standard).transpose(1, 2))
        return embedded


def patch_stem(tower: nn.Module) -> Lite0Patches | None:
    """The stem of an image tower that has one of this kind."""
    embedding = getattr(tower, "patch_embed", None)
    return embedding if isinstance(embedding, Lite0Patches) else None
