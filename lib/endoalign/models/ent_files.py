"""An ENT-CLIP model on disk: what was trained, alone and merged into its encoder."""

import shutil
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from endoalign.models.checkpoint import load_encoder, save_encoder
from endoalign.models.checkpoint_files import put_in_place, read_json, write_json
from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.ent_clip import EntClip
from endoalign.models.ent_prompts import EntClasses
from endoalign.models.ent_settings import EntClipSettings
from endoalign.models.lora import is_adapted, merge_lora
from endoalign.models.lora_files import load_adapters, save_adapters
from endoalign.models.weights import WeightsError, first_line

ADAPTERS: Final = "adapters.safetensors"
HEADS: Final = "heads.safetensors"
FACTS: Final = "ent_clip.json"
MERGED: Final = "merged"


def save_ent_clip(
    model: EntClip, folder: Path, *, provenance: Mapping[str, Any], merged: bool = True
) -> None:
    """Write a model; files are written beside ``folder`` first and then renamed into it.

    ``adapters.safetensors`` holds A and B alone, ``heads.safetensors`` fusion, classifier and logit
    scale, ``ent_clip.json`` settings and classes. ``merged/`` is a checkpoint of the encoder with
    the adapters added to its weights, which OpenCLIP reads (``local-dir:``) and `load_ent_clip`
    needs where the tower was trained whole; OpenCLIP knows nothing of the fusion.

    Args:
        provenance: how the weights came to be, values that JSON knows.
        merged: write ``merged/`` too, which has the size of the encoder.

    Raises:
        ValueError: the tower was trained whole, and ``merged`` is false.
        TypeError: a value of ``provenance`` is nothing that JSON knows.
    """
    if model.settings.tower == "full" and not merged:
        raise ValueError("a tower that was trained whole is stored in merged/: set merged=True")
    encoder = model.encoder
    facts = {
        "encoder": encoder.name,
        "started_from": encoder.started_from,
        "settings": model.settings.model_dump(
            mode="json", include=set(EntClipSettings.model_fields)
        ),
        "classes": asdict(model.class_set),
        "provenance": dict(provenance),
    }
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        write_json(facts, partial / FACTS)
        save_file(head_tensors(model), partial / HEADS)
        if model.settings.tower == "lora":
            save_adapters(encoder, model.settings, partial / ADAPTERS)
        if merged:
            save_encoder(merged_encoder(encoder), partial / MERGED, provenance=provenance)
        put_in_place(partial, folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def load_ent_clip(folder: Path, encoder: DualEncoder | None = None) -> EntClip:
    """Read a model, in evaluation mode, on the CPU.

    Args:
        encoder: the dual encoder that the training started from: the adapters are put into it.
            None takes the merged one of the folder.

    Raises:
        WeightsError: a file is missing or damaged, or the encoder is not the one that the training
            started from.
    """
    facts = read_json(folder / FACTS) if (folder / FACTS).is_file() else None
    if facts is None:
        raise WeightsError(f"{folder / FACTS} is missing: {folder} is no ENT-CLIP model")
    try:
        settings = EntClipSettings.model_validate(facts["settings"])
        classes = EntClasses(**{name: tuple(values) for name, values in facts["classes"].items()})
    except (KeyError, TypeError, AttributeError, ValidationError) as error:
        raise WeightsError(f"{folder / FACTS} is damaged: {first_line(error)}") from error
    if encoder is None or settings.tower == "full":
        if not (folder / MERGED).is_dir():
            raise WeightsError(f"{folder / MERGED} is missing: give the encoder trained from")
        encoder = replace(load_encoder(folder / MERGED), name=facts["encoder"])
        settings = settings.model_copy(update={"tower": "frozen"})
    elif settings.tower == "lora":
        load_adapters(encoder, folder / ADAPTERS)
    model = EntClip(encoder, classes, settings, seed=0)
    try:
        heads = load_file(folder / HEADS)
        wrong = set(heads) ^ set(head_tensors(model))
        if wrong:
            raise WeightsError(f"{folder / HEADS} and {FACTS} differ in {sorted(wrong)[0]}")
        model.load_state_dict(heads, strict=False)
    except (OSError, RuntimeError, SafetensorError) as error:
        raise WeightsError(f"{folder / HEADS} is damaged: {first_line(error)}") from error
    return model.eval()


def merged_encoder(encoder: DualEncoder) -> DualEncoder:
    """A copy of an encoder with its adapters merged; the encoder stays as it is."""
    copy = replace(encoder, model=deepcopy(encoder.model))
    if is_adapted(copy):
        merge_lora(copy)
    return copy


def head_tensors(model: EntClip) -> dict[str, Tensor]:
    """What a model has besides its encoder: fusion, classifier, logit scale; on the CPU."""
    return {
        name: value.detach().cpu().contiguous()
        for name, value in model.state_dict().items()
        if not name.startswith("towers.")
    }
