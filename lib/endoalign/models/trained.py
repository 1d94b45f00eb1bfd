"""Encoders with trained weights of OpenCLIP's tags or of the model hub."""

from pathlib import Path
from typing import Any

import open_clip
from open_clip.pretrained import get_pretrained_cfg
from torch import nn

from endoalign.models.architecture import check_dual_encoder
from endoalign.models.dual_encoder import DualEncoder, square_side
from endoalign.models.entries import HUB_PREFIX, Entry, preprocessing
from endoalign.models.hub import fetching
from endoalign.models.same_architecture import check_same_architecture
from endoalign.models.short_texts import accept_short_texts
from endoalign.models.tokens import Tokenizer, build_tokenizer
from endoalign.models.weights import check_activation


def from_tag(entry: Entry, tag: str) -> DualEncoder:
    """The entry's OpenCLIP architecture with the weights of an OpenCLIP tag.

    Raises:
        WeightsError: the tag was trained with another activation, or its weights are not to be had.
        ValueError: the architecture is no dual encoder.
    """
    check_activation(entry, tag)
    architecture = str(entry.architecture)
    model_cfg = open_clip.get_model_config(architecture)
    check_dual_encoder(model_cfg)
    facts = get_pretrained_cfg(architecture, tag)
    repository = facts.get("hf_hub", "").strip("/")
    place = f"hub repository {repository}" if repository else f"file {_file_name(facts)}"
    with fetching(
        entry.name, f"OpenCLIP's tag {tag} of {architecture}, {place}", entry.needs
    ) as ask:
        if not ask and not repository and not _is_cached(facts):
            raise OSError("not in the cache")  # OpenCLIP itself would wait for an answer
        model = open_clip.create_model(
            architecture, pretrained=tag, output_dict=True, require_pretrained=True
        )
        tokenize = build_tokenizer(model_cfg)
    return _encoder(entry, model, model_cfg, tokenize, f"OpenCLIP tag {tag} of {architecture}")


def from_hub(entry: Entry, hub_id: str) -> DualEncoder:
    """The model of the hub repository ``hf-hub:org/name``, in OpenCLIP's format.

    Raises:
        WeightsError: the weights are not to be had, or have another architecture than the entry.
        ValueError: the architecture is no dual encoder.
    """
    with fetching(entry.name, f"hub repository {hub_id.removeprefix(HUB_PREFIX)}", entry.needs):
        model_cfg = open_clip.get_model_config(hub_id)
        check_dual_encoder(model_cfg)
        check_same_architecture(entry, model_cfg, hub_id)
        model = open_clip.create_model(hub_id, output_dict=True, require_pretrained=True)
        tokenize = build_tokenizer(model_cfg)
    return _encoder(entry, model, model_cfg, tokenize, hub_id)


def _encoder(
    entry: Entry,
    model: nn.Module,
    model_cfg: dict[str, Any],
    tokenize: Tokenizer,
    started_from: str,
) -> DualEncoder:
    """Wrap a model that OpenCLIP built; its normalisation of pixels is kept."""
    visual: Any = model.visual
    pixels = visual.preprocess_cfg
    squashed = preprocessing(
        square_side(visual.image_size), pixels["mean"], pixels["std"], pixels["interpolation"]
    )
    config = {"model_cfg": model_cfg, "preprocess_cfg": squashed}
    accept_short_texts(model)
    model.train()
    return DualEncoder(entry.name, model, config, tokenize, started_from)


def _file_name(facts: dict[str, Any]) -> str:
    return Path(facts.get("url", "")).name


def _is_cached(facts: dict[str, Any]) -> bool:
    """Whether OpenCLIP has downloaded the file of a tag that is not on the hub."""
    return (Path("~/.cache/clip").expanduser() / _file_name(facts)).is_file()
