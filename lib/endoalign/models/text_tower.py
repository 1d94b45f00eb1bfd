"""Hugging Face text towers without a hub: where their configuration lies, and how it travels.

An OpenCLIP checkpoint names such a tower (``hf_model_name``) but does not hold its configuration:
OpenCLIP asks transformers, which looks for a folder of that name, then in its cache, then on the
hub. A checkpoint of ours holds the configuration in a folder called like the tower.
"""

import json
from pathlib import Path
from typing import Any, Final

import open_clip.hf_model
from open_clip.hf_model import HFTextEncoder
from open_clip.tokenizer import HFTokenizer
from transformers import AutoConfig

from endoalign.models.architecture import text_tower_name
from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.minilm import HUB_NAME, minilm_folder
from endoalign.models.tokens import Tokenizer

CONFIG_FILE: Final = "config.json"
TOKENIZER_FILE: Final = "tokenizer_config.json"
LOCAL_NAME: Final = "text_tower"


def text_tower_folder(model_cfg: dict[str, Any], folder: Path | None = None) -> Path | None:
    """Folder with the ``config.json`` of the text tower.

    Args:
        folder: a checkpoint, which may hold the configuration under the tower's name, or at its
            top.

    Returns:
        None where the tower is OpenCLIP's own, or where transformers must look for it.

    Raises:
        ModuleNotFoundError: the tower is MiniLM and its package is not installed.
    """
    name = text_tower_name(model_cfg)
    if name is None:
        return None
    places = [] if folder is None else [folder / name, folder]
    for place in places:
        if (place / CONFIG_FILE).is_file():
            return place
    return minilm_folder() if name == HUB_NAME else None


def portable_cfg(model_cfg: dict[str, Any]) -> dict[str, Any]:
    """``model_cfg`` with no path of this machine in it."""
    name = text_tower_name(model_cfg)
    if name is None or not Path(name).is_absolute():
        return model_cfg
    names = {"hf_model_name": LOCAL_NAME, "hf_tokenizer_name": LOCAL_NAME}
    return {**model_cfg, "text_cfg": {**model_cfg["text_cfg"], **names}}


def write_text_tower(encoder: DualEncoder, model_cfg: dict[str, Any], folder: Path) -> None:
    """Write what a Hugging Face text tower needs beside the weights; nothing for other towers.

    The configuration goes under the tower's name, the tokenizer to the top of ``folder``, where
    OpenCLIP looks for each.
    """
    tower = getattr(encoder.model, "text", None)
    name = text_tower_name(model_cfg)
    if isinstance(tower, HFTextEncoder) and name is not None:
        facts = {key: value for key, value in tower.config.to_dict().items() if key[0] != "_"}
        (folder / name).mkdir(parents=True)
        text = json.dumps(facts, indent=2, sort_keys=True) + "\n"
        (folder / name / CONFIG_FILE).write_text(text, encoding="utf-8")
    tokenize = encoder.tokenize
    if isinstance(tokenize, Tokenizer) and isinstance(tokenize.of_list, HFTokenizer):
        tokenize.of_list.save_pretrained(str(folder))
        _forget_origin(folder / TOKENIZER_FILE)


class PackagedFirst:
    """Stands for transformers' ``AutoConfig``: MiniLM's configuration comes from its package."""

    @staticmethod
    def from_pretrained(name: str, *args: Any, **options: Any) -> Any:
        """As in transformers; without a network for the tower whose package is installed."""
        source = str(minilm_folder()) if name == HUB_NAME else name
        return AutoConfig.from_pretrained(source, *args, **options)


def let_openclip_find_minilm() -> None:
    """Let OpenCLIP's ``local-dir:`` load `lite0-minilm` checkpoints offline, in this process.

    OpenCLIP has no setting for the place of a tower's configuration, so that the class it asks is
    replaced by `PackagedFirst`. All other towers are looked up as before.
    """
    open_clip.hf_model.AutoConfig = PackagedFirst


def _forget_origin(config_file: Path) -> None:
    """Take out where the tokenizer was loaded from, a path of this machine."""
    facts = json.loads(config_file.read_text(encoding="utf-8"))
    kept = {key: value for key, value in facts.items() if key != "name_or_path"}
    config_file.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
