"""Adapters on disk: alone, and only for the weights that they were trained on."""

import hashlib
import json
import os
from pathlib import Path
from typing import Final

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.lora import LoraSettings, add_lora, named_adapters, vision_transformer
from endoalign.models.lora_attention import PROJECTIONS
from endoalign.models.weights import WeightsError, first_line

KIND: Final = "endoalign-lora"


def save_adapters(encoder: DualEncoder, settings: LoraSettings, file: Path) -> None:
    """Write the adapters alone, as safetensors; the file appears whole or not at all.

    Its metadata hold the settings and the digest of the frozen tower, without which the adapters
    mean nothing.

    Raises:
        ValueError: the image tower has no adapters.
    """
    tensors = adapter_tensors(encoder)
    if not tensors:
        raise ValueError(f"{encoder.name} has no adapters to save: call add_lora first")
    own = settings.model_dump_json(include=set(LoraSettings.model_fields))
    facts = {"kind": KIND, "settings": own, "tower": tower_digest(encoder)}
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    save_file(tensors, partial, metadata=facts)
    partial.replace(file)


def load_adapters(encoder: DualEncoder, file: Path) -> LoraSettings:
    """Put the adapters of a file into the encoder that they were trained on; returns settings.

    Raises:
        WeightsError: the file is missing, damaged or no file of adapters, or the tower's weights
            are not those that the adapters were trained on.
        ValueError: see `add_lora`.
    """
    facts = _facts(file)
    settings = LoraSettings.model_validate_json(facts["settings"])
    if facts["tower"] != tower_digest(encoder):
        raise WeightsError(
            f"{file}: its adapters were trained on other weights than those of {encoder.name} "
            f"({encoder.started_from}); build the encoder that the training started from"
        )
    tensors = load_file(file)
    blocks = range(len(vision_transformer(encoder).transformer.resblocks))
    wanted = {
        f"transformer.resblocks.{block}.attn.{projection}.{matrix}"
        for block in blocks
        for projection in PROJECTIONS
        for matrix in ("A", "B")
    }
    if wrong := sorted(wanted ^ set(tensors)):
        raise WeightsError(f"{file} and the blocks of {encoder.name} differ in {wrong[0]}")
    add_lora(encoder, settings, seed=0)
    for name, value in named_adapters(encoder):
        value.data.copy_(tensors[name])
    return settings


def adapter_tensors(encoder: DualEncoder) -> dict[str, Tensor]:
    """Every A and B by name, on the CPU; empty where there are no adapters."""
    return {name: value.detach().cpu().contiguous() for name, value in named_adapters(encoder)}


def tower_digest(encoder: DualEncoder) -> str:
    """SHA-256 of the image tower's weights and activation without adapters, 64 hex digits."""
    digest = hashlib.sha256()
    digest.update(json.dumps(encoder.config["model_cfg"].get("quick_gelu", False)).encode())
    adapters = {name for name, _ in named_adapters(encoder)}
    for name, value in vision_transformer(encoder).state_dict().items():
        if name not in adapters:
            digest.update(name.encode())
            digest.update(value.detach().cpu().contiguous().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def _facts(file: Path) -> dict[str, str]:
    if not file.is_file():
        raise WeightsError(f"{file} is missing: save_adapters writes it")
    try:
        with safe_open(file, framework="pt") as tensors:
            facts: dict[str, str] = tensors.metadata() or {}
    except (SafetensorError, OSError) as error:
        raise WeightsError(f"{file} is no sound safetensors file: {first_line(error)}") from error
    if facts.get("kind") != KIND:
        raise WeightsError(f"{file} holds no adapters: its metadata do not say kind {KIND!r}")
    return facts
