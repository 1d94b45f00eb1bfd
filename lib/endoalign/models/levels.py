"""A frozen trunk whose features are pooled at several levels: much from few pairs, on two cores.

The trunk is EfficientNet-Lite0 with ImageNet weights up to its fifth block, which are not trained.
Textures and colours show in shallow blocks and shapes in deeper ones, so that three of them are
pooled, over the whole picture and over its middle. What is pooled never changes: it is computed
once a frame (`frame_input.open_input`), and a training of the head takes seconds. Locked towers are
those of LiT (Zhai et al. 2022, arXiv 2111.07991).

timm knows the trunk as ``lite0_levels`` once this module is imported.
"""

from typing import Any, Final

import torch
from timm.models import register_model
from torch import Tensor, nn

from endoalign.models.lite0 import build_lite0

NAME: Final = "lite0_levels"
LEVELS: Final = (2, 3, 4)
"""Blocks that are pooled: 40, 80 and 112 channels at 1/8, 1/16 and 1/16 of the side."""
DROPOUT: Final = 0.6
"""Of the pooled features, in training: a thousand pairs are soon learnt by heart."""


class LevelTrunk(nn.Module):
    """Pooled features of several frozen blocks, standardised.

    Takes pictures (n, 3, S, S), normalised, or what `levels` gave for them, (n, width); returns
    (n, width). Only the statistics of the standardisation are learnt.
    """

    def __init__(self) -> None:
        super().__init__()
        whole: Any = build_lite0(pretrained=False)
        self.conv_stem, self.bn1 = whole.conv_stem, whole.bn1  # named as timm names them,
        self.blocks = whole.blocks[: LEVELS[-1] + 1]  # so that its weights fit
        self.requires_grad_(False)
        channels = sum(self.blocks[level][-1].bn3.num_features for level in LEVELS)
        self.num_features = 4 * channels
        self.norm = nn.BatchNorm1d(self.num_features, affine=False)
        self.drop = nn.Dropout(DROPOUT)
        self.default_cfg: dict[str, Any] = {}  # OpenCLIP asks for it
        self.train()

    def train(self, mode: bool = True) -> "LevelTrunk":
        """Set the mode; the frozen blocks stay in evaluation mode."""
        super().train(mode)
        for frozen in (self.bn1, self.blocks):
            frozen.eval()
        return self

    def reset_classifier(self, num_classes: int) -> None:
        """Do nothing: there is no classifier. OpenCLIP calls this of every trunk."""

    def levels(self, pictures: Tensor) -> Tensor:
        """Pooled features (n, width) of pictures (n, 3, S, S): what never changes.

        Mean and maximum over the picture and over its middle half in each direction.
        """
        found = []
        with torch.no_grad():
            maps = pictures.contiguous(memory_format=torch.channels_last)
            maps = self.bn1(self.conv_stem(maps))
            for number, block in enumerate(self.blocks):
                maps = block(maps)
                if number in LEVELS:
                    for part in (maps, _middle(maps)):
                        found += [part.mean(dim=(2, 3)), part.amax(dim=(2, 3))]
        return torch.cat(found, dim=1)

    def forward(self, pictures: Tensor) -> Tensor:
        """Standardised features; see the class."""
        pooled = pictures if pictures.ndim == 2 else self.levels(pictures)
        return self.drop(self.norm(pooled))  # type: ignore[no-any-return]


def level_trunk(model: nn.Module) -> LevelTrunk | None:
    """Return the trunk of a dual encoder whose image tower has one of this kind."""
    trunk = getattr(getattr(model, "visual", None), "trunk", None)
    return trunk if isinstance(trunk, LevelTrunk) else None


def _middle(maps: Tensor) -> Tensor:
    height, width = maps.shape[2:]
    down, across = height // 4, width // 4
    return maps[:, :, down : height - down, across : width - across]


@register_model
def lite0_levels(pretrained: bool = False, **_: Any) -> LevelTrunk:
    """Build the trunk for timm, with random weights: the registry fills in the trained ones."""
    if pretrained:
        raise ValueError(f"{NAME}: timm has no weights of it; build it by the registry of encoders")
    return LevelTrunk()
