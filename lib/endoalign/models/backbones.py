"""Other image towers for a comparison of backbones (ENT-CLIP, Table 5)."""

from typing import Any, Final

import timm

from endoalign.corpus.validation import nearest
from endoalign.models.architecture import build_model
from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.entries import NORMALISATION, encoder_names, preprocessing
from endoalign.models.registry import build_encoder
from endoalign.models.tokens import build_tokenizer

RANDOM: Final = "random"
TIMM_PRETRAINED: Final = "imagenet"
_TEXT: Final[dict[str, Any]] = {
    "context_length": 64,
    "vocab_size": 49408,
    "width": 128,
    "heads": 2,
    "layers": 1,
}
"""A text tower that is there only because a dual encoder has one; nothing reads its features."""


def build_backbone(name: str, *, weights: str, image_size: int, seed: int) -> DualEncoder:
    """An image tower by its name in our registry or in timm, with a feature of 128 numbers.

    Args:
        name: an encoder of the registry (its own picture size then counts) or a model of timm,
            such as ``mobilenetv2_100``, ``resnet50`` or ``inception_resnet_v2``.
        weights: ``random``; for timm ``imagenet``, which timm fetches; for the registry what
            `build_encoder` takes.
        image_size: side of the pictures of a timm model, pixels.

    Raises:
        ValueError: the name is known to neither, or timm has no such weights.
    """
    if name in encoder_names():
        return build_encoder(name, weights=weights, seed=seed)
    if not timm.is_model(name):
        near = nearest(name, [*encoder_names(), *timm.list_models()])
        raise ValueError(f"{name!r} is neither in the registry nor a model of timm{near}")
    if weights not in (RANDOM, TIMM_PRETRAINED):
        raise ValueError(f"{name}: weights {weights!r}; for a model of timm random or imagenet")
    vision = {"image_size": image_size, "timm_model_name": name}
    model_cfg = {
        "embed_dim": 128,
        "custom_text": True,
        "vision_cfg": {**vision, "timm_pool": "", "timm_proj": "linear"},
        "text_cfg": _TEXT,
    }
    model = build_model(model_cfg, seed=seed)
    if weights == TIMM_PRETRAINED:
        trunk = timm.create_model(name, pretrained=True, num_classes=0)
        model.visual.trunk.load_state_dict(trunk.state_dict())  # type: ignore[union-attr]
    mean, std = NORMALISATION["imagenet"]
    config = {"model_cfg": model_cfg, "preprocess_cfg": preprocessing(image_size, mean, std)}
    origin = f"random, seed {seed}" if weights == RANDOM else "ImageNet weights of timm"
    return DualEncoder(name, model, config, build_tokenizer(model_cfg, None), origin)
