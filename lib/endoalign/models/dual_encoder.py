"""A dual encoder: an image tower and a text tower that share one space."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn


@dataclass(frozen=True)
class DualEncoder:
    """An OpenCLIP model with everything that is needed to feed it.

    Attributes:
        name: name in the registry, or of the checkpoint's folder.
        model: an OpenCLIP ``CLIP`` or ``CustomTextCLIP``; ``model(image=, text=)`` gives a
            dictionary of ``image_features`` and ``text_features``, each (n, d) of unit norm, and
            ``logit_scale``, the multiplier of cosines (already exponentiated).
        config: what ``open_clip_config.json`` holds: ``model_cfg`` and ``preprocess_cfg``.
        tokenize: texts -> (n, context length) int64.
        started_from: what the weights are, in one line.
    """

    name: str
    model: nn.Module
    config: dict[str, Any]
    tokenize: Callable[[Sequence[str]], Tensor]
    started_from: str

    @property
    def image_size(self) -> int:
        """Side of the square pictures that the image tower takes, in pixels."""
        return square_side(self.config["preprocess_cfg"]["size"])

    @property
    def mean(self) -> tuple[float, float, float]:
        """What is subtracted from red, green and blue (each in [0, 1])."""
        red, green, blue = self.config["preprocess_cfg"]["mean"]
        return red, green, blue

    @property
    def std(self) -> tuple[float, float, float]:
        """What red, green and blue are divided by afterwards."""
        red, green, blue = self.config["preprocess_cfg"]["std"]
        return red, green, blue

    @property
    def feature_size(self) -> int:
        """Length d of a feature."""
        return int(self.config["model_cfg"]["embed_dim"])


def square_side(size: int | Sequence[int]) -> int:
    """Side of a picture given as one number or as (height, width).

    Raises:
        ValueError: height and width differ.
    """
    if isinstance(size, int):
        return size
    height, width = size
    if height != width:
        raise ValueError(f"pictures must be square, this encoder takes {height} x {width} pixels")
    return int(height)
