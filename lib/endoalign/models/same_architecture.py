"""Whether weights from elsewhere have the architecture that was asked for by name."""

from dataclasses import asdict
from typing import Any, Final

from open_clip.model import CLIPTextCfg, CLIPVisionCfg

from endoalign.models.architecture import activation
from endoalign.models.entries import Entry
from endoalign.models.weights import WeightsError

# What says where weights come from or how towers are trained, not what they are.
NOT_ARCHITECTURE: Final = {
    "hf_model_name",
    "hf_model_pretrained",
    "hf_tokenizer_name",
    "output_tokens",
    "patch_dropout",
    "timm_drop",
    "timm_drop_path",
    "timm_model_pretrained",
}


def check_same_architecture(entry: Entry, model_cfg: dict[str, Any], source: str) -> None:
    """Refuse a ``model_cfg`` that is not the one of ``entry``, where the registry knows one.

    Raises:
        WeightsError: the message names ``source`` and what differs.
    """
    if entry.model_cfg is None:
        return
    own, other = _facts(entry.model_cfg), _facts(model_cfg)
    differing = [
        f"{key} is {other[key]}, not {value}" for key, value in own.items() if other[key] != value
    ]
    if differing:
        raise WeightsError(
            f"encoder {entry.name}: {source} holds another architecture: {'; '.join(differing)}"
        )


def _facts(model_cfg: dict[str, Any]) -> dict[str, Any]:
    """All that makes an architecture, OpenCLIP's defaults filled in, towers as ``tower.key``."""
    facts = {"activation": activation(model_cfg), "embed_dim": model_cfg["embed_dim"]}
    for key, kind in (("vision_cfg", CLIPVisionCfg), ("text_cfg", CLIPTextCfg)):
        for name, value in asdict(kind(**model_cfg[key])).items():
            if name not in NOT_ARCHITECTURE:
                facts[f"{key}.{name}"] = list(value) if isinstance(value, tuple) else value
    return facts
