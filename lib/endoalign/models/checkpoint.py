"""Checkpoints: folders that this library and OpenCLIP (``local-dir:``) read alike."""

import shutil
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import open_clip
import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import nn

from endoalign.models.architecture import activation, build_model, text_tower_name
from endoalign.models.checkpoint_files import (
    CARD,
    CONFIG,
    PROVENANCE,
    WEIGHTS,
    check_stored_activation,
    put_in_place,
    read_config,
    write_json,
)
from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.hub import fetching
from endoalign.models.model_card import model_card
from endoalign.models.text_tower import (
    CONFIG_FILE,
    TOKENIZER_FILE,
    let_openclip_find_minilm,
    portable_cfg,
    text_tower_folder,
    write_text_tower,
)
from endoalign.models.tokens import Tokenizer, build_tokenizer
from endoalign.models.weights import UNREADABLE, WeightsError, first_line, weights_file

let_openclip_find_minilm()


def save_encoder(encoder: DualEncoder, folder: Path, *, provenance: Mapping[str, Any]) -> None:
    """Write a checkpoint.

    All files are written beside ``folder`` first and then renamed into it, the weights last, so
    that a reader finds the old file or the new one, never half a file. Other files in ``folder``
    stay.

    Args:
        provenance: how the weights came to be (settings, data, commit), values that JSON knows.
            The encoder's name, origin, activation and the versions are added.

    Raises:
        TypeError: a value of ``provenance`` is nothing that JSON knows; the message names its key.
        NotADirectoryError: ``folder`` is a file.
    """
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"{folder} is a file, not the folder of a checkpoint")
    model_cfg = portable_cfg(encoder.config["model_cfg"])
    facts = _facts(encoder, provenance)
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        write_json({**encoder.config, "model_cfg": model_cfg}, partial / CONFIG)
        write_json(facts, partial / PROVENANCE)
        (partial / CARD).write_text(model_card(encoder, facts), encoding="utf-8")
        write_text_tower(encoder, model_cfg, partial)
        state = {name: value.contiguous() for name, value in encoder.model.state_dict().items()}
        notes = {"format": "pt", "activation": facts["activation"]}
        save_file(state, partial / WEIGHTS, metadata=notes)
        put_in_place(partial, folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def load_encoder(folder: Path) -> DualEncoder:
    """Read a checkpoint of ours, or any other folder that OpenCLIP reads.

    Raises:
        WeightsError: the folder, its configuration or its weights are missing or damaged, or the
            activation that the weights were trained with is not that of the configuration.
    """
    config = read_config(folder)
    source = weights_file(folder)
    check_stored_activation(folder, source, activation(config["model_cfg"]))
    model, tokenize = _build(config["model_cfg"], folder)
    try:
        open_clip.load_checkpoint(model, str(source), strict=True, weights_only=True)
    except (RuntimeError, SafetensorError, AttributeError, *UNREADABLE) as error:
        raise WeightsError(f"{source} does not fit {CONFIG}: {first_line(error)}") from error
    name = folder.resolve().name
    return DualEncoder(name, model, config, tokenize, started_from=f"folder {name}")


def _build(model_cfg: dict[str, Any], folder: Path) -> tuple[nn.Module, Tokenizer]:
    """Model with random weights, and tokenizer; the hub is asked for what ``folder`` lacks."""
    text_cfg = model_cfg["text_cfg"]
    name, tokenizer_name = text_tower_name(model_cfg), text_cfg.get("hf_tokenizer_name")
    tower = text_tower_folder(model_cfg, folder)
    tokenizer = folder if (folder / TOKENIZER_FILE).is_file() else tower
    from_disk = bool((tower or not name) and (tokenizer or not tokenizer_name))
    source = f"{folder}, which lacks {CONFIG_FILE} or tokenizer of {name or tokenizer_name}"
    with fetching(folder.name, source, from_disk=from_disk):
        model = build_model(model_cfg, seed=0, text_tower=tower)
        return model, build_tokenizer(model_cfg, tokenizer)


def _facts(encoder: DualEncoder, provenance: Mapping[str, Any]) -> dict[str, Any]:
    versions = {"endoalign": version("endoalign"), "torch": torch.__version__}
    return {
        "encoder": encoder.name,
        "started_from": encoder.started_from,
        **provenance,
        "activation": activation(encoder.config["model_cfg"]),
        "versions": {**versions, "open_clip": open_clip.__version__},
    }
