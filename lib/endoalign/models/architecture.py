"""From an OpenCLIP configuration to a model, without touching a network or the random state."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import torch
from open_clip.model import CLIP, CustomTextCLIP
from torch import nn

import endoalign.models.levels  # noqa: F401 - timm then knows its trunk
from endoalign.models.short_texts import accept_short_texts

QUICK_GELU: Final = "QuickGELU"
GELU: Final = "GELU"


def build_model(
    model_cfg: dict[str, Any], *, seed: int, text_tower: Path | None = None
) -> nn.Module:
    """A dual encoder with random weights that depend on ``seed`` alone.

    The state of torch's random generator is the same afterwards.

    Args:
        model_cfg: OpenCLIP's ``model_cfg``; it is not changed.
        text_tower: folder whose ``config.json`` describes a Hugging Face text tower; without it
            the tower's name is looked up as transformers does (its cache, then its hub).

    Raises:
        ValueError: the architecture is no dual encoder (CoCa has a decoder besides).
        OSError: the configuration of the text tower is not to be had.
    """
    check_dual_encoder(model_cfg)
    settings = deepcopy(model_cfg)
    custom_text = settings.pop("custom_text", False)
    if "timm_model_name" in settings["vision_cfg"]:
        settings["vision_cfg"]["timm_model_pretrained"] = False
    if text_tower_name(model_cfg):
        custom_text = True
        settings["text_cfg"]["hf_model_pretrained"] = False
        if text_tower is not None:
            settings["text_cfg"]["hf_model_name"] = str(text_tower)
    kind = CustomTextCLIP if custom_text else CLIP
    with seeded(seed):
        model: nn.Module = kind(**settings, output_dict=True)
    accept_short_texts(model)
    return model


def check_dual_encoder(model_cfg: dict[str, Any]) -> None:
    """Raise `ValueError` where OpenCLIP would build more than two towers."""
    if "multimodal_cfg" in model_cfg:
        raise ValueError("a CoCa architecture is no dual encoder: take a CLIP architecture")


def activation(model_cfg: dict[str, Any]) -> str:
    """Activation of OpenCLIP's own towers; timm and Hugging Face towers keep theirs."""
    return QUICK_GELU if model_cfg.get("quick_gelu", False) else GELU


def text_tower_name(model_cfg: dict[str, Any]) -> str | None:
    """Name of the Hugging Face text tower, None where the text tower is OpenCLIP's own."""
    name: str | None = model_cfg["text_cfg"].get("hf_model_name")
    return name or None


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Random numbers of the CPU start at ``seed`` inside, and go on as before outside."""
    state = torch.get_rng_state()
    torch.default_generator.manual_seed(seed)
    try:
        yield
    finally:
        torch.set_rng_state(state)
