"""Checkpoints of EndoVLM: a folder of weights, settings, text tower, provenance and model card."""

import json
import shutil
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import timm
import torch
import transformers
from pydantic import ValidationError
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from endoalign.models.checkpoint_files import (
    CARD,
    PROVENANCE,
    WEIGHTS,
    put_in_place,
    read_json,
    write_json,
)
from endoalign.models.endovlm import EndoVlm
from endoalign.models.endovlm_card import endovlm_card
from endoalign.models.endovlm_encoder import EndovlmEncoder
from endoalign.models.endovlm_image import RANDOM, build_image_tower
from endoalign.models.endovlm_settings import EndovlmModelSettings, without_places
from endoalign.models.endovlm_text import stored_text_tower
from endoalign.models.weights import WeightsError, first_line

CONFIG: Final = "endovlm_config.json"
TEXT_TOWER: Final = "text_tower"
_TOKENIZER: Final = "tokenizer_config.json"


def save_endovlm(encoder: EndovlmEncoder, folder: Path, *, provenance: Mapping[str, Any]) -> None:
    """Write a checkpoint; all files appear, the weights last, or none.

    Args:
        provenance: how the weights came to be (settings, data), values that JSON knows.

    Raises:
        TypeError: a value of ``provenance`` is nothing that JSON knows; the message names its key.
        NotADirectoryError: ``folder`` is a file.
    """
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"{folder} is a file, not the folder of a checkpoint")
    facts = {
        "encoder": encoder.name,
        "started_from": encoder.started_from,
        **provenance,
        "versions": {
            "endoalign": version("endoalign"),
            "torch": torch.__version__,
            "timm": timm.__version__,
            "transformers": transformers.__version__,
        },
    }
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        write_json(_config(encoder), partial / CONFIG)
        write_json(facts, partial / PROVENANCE)
        (partial / CARD).write_text(endovlm_card(encoder, facts), encoding="utf-8")
        _write_text_tower(encoder, partial / TEXT_TOWER)
        state = {name: value.contiguous() for name, value in encoder.model.state_dict().items()}
        save_file(state, partial / WEIGHTS, metadata={"format": "pt"})
        put_in_place(partial, folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def load_endovlm(folder: Path) -> EndovlmEncoder:
    """Read a checkpoint, in evaluation mode, on the CPU; nothing is asked of a hub.

    Raises:
        WeightsError: the folder, one of its files or its weights are missing or damaged; the
            message names the file.
    """
    for name in (CONFIG, WEIGHTS, f"{TEXT_TOWER}/config.json"):
        if not (folder / name).is_file():
            raise WeightsError(f"{folder / name} is missing: {folder} is no checkpoint of EndoVLM")
    config = read_json(folder / CONFIG)
    try:
        settings = EndovlmModelSettings.model_validate(config["settings"])
        mean, std = tuple(config["mean"]), tuple(config["std"])
    except (KeyError, TypeError, ValidationError) as error:
        raise WeightsError(f"{folder / CONFIG} is no configuration of EndoVLM: {error}") from error
    tower = build_image_tower(
        settings.model_copy(update={"image_weights": RANDOM}), seed=0, fill_stem=False
    )
    text_tower, tokenize = stored_text_tower(settings, folder / TEXT_TOWER)
    model = EndoVlm(settings, tower, text_tower, seed=0)
    try:
        model.load_state_dict(load_file(folder / WEIGHTS))
    except (RuntimeError, SafetensorError, OSError) as error:
        raise WeightsError(
            f"{folder / WEIGHTS} does not fit {CONFIG}: {first_line(error)}"
        ) from error
    name = folder.resolve().name
    return EndovlmEncoder(name, model.eval(), tokenize, mean, std, f"folder {name}")


def _config(encoder: EndovlmEncoder) -> dict[str, Any]:
    settings = without_places(encoder.settings)
    model = {name: settings[name] for name in EndovlmModelSettings.model_fields}
    return {"settings": model, "mean": list(encoder.mean), "std": list(encoder.std)}


def _write_text_tower(encoder: EndovlmEncoder, folder: Path) -> None:
    """Configuration and tokenizer; where they were loaded from is left out."""
    folder.mkdir()
    facts = encoder.model.text_tower.transformer.config.to_dict()
    known = {key: value for key, value in facts.items() if key[0] != "_"}
    text = json.dumps(known, indent=2, sort_keys=True) + "\n"
    (folder / "config.json").write_text(text, encoding="utf-8")
    encoder.tokenize.tokenizer.save_pretrained(str(folder))
    stored = read_json(folder / _TOKENIZER)
    write_json({k: v for k, v in stored.items() if k != "name_or_path"}, folder / _TOKENIZER)
