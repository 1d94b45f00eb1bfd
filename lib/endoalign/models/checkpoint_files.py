"""Files of a checkpoint: their names, how they are read and checked, how they are put in place."""

import json
from pathlib import Path
from typing import Any, Final

import open_clip
from safetensors import SafetensorError, safe_open

from endoalign.models.architecture import QUICK_GELU
from endoalign.models.dual_encoder import square_side
from endoalign.models.entries import preprocessing
from endoalign.models.weights import WEIGHT_FILES, WeightsError

WEIGHTS: Final = WEIGHT_FILES[0]
CONFIG: Final = "open_clip_config.json"
PROVENANCE: Final = "provenance.json"
CARD: Final = "README.md"
DEFAULT_SIZE: Final = 224  # OpenCLIP's, where a configuration does not tell


def read_config(folder: Path) -> dict[str, Any]:
    """``model_cfg`` and ``preprocess_cfg`` of a folder that OpenCLIP reads.

    Raises:
        WeightsError: the file is missing or damaged, or is no configuration of a dual encoder.
    """
    path = folder / CONFIG
    if not path.is_file():
        raise WeightsError(f"{path} is missing: {folder} is no folder that OpenCLIP reads")
    config = read_json(path)
    try:
        model_cfg, pixels = config["model_cfg"], config.get("preprocess_cfg", {})
        size = square_side(model_cfg["vision_cfg"].get("image_size", DEFAULT_SIZE))
        mean = pixels.get("mean", open_clip.OPENAI_DATASET_MEAN)
        std = pixels.get("std", open_clip.OPENAI_DATASET_STD)
        squashed = preprocessing(size, mean, std, pixels.get("interpolation", "bicubic"))
        model_cfg["text_cfg"].get("context_length")
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise WeightsError(f"{path} is no configuration of a dual encoder: {error!r}") from error
    return {"model_cfg": model_cfg, "preprocess_cfg": squashed}


def check_stored_activation(folder: Path, source: Path, configured: str) -> None:
    """Refuse weights that were trained with another activation than the configured one.

    Both the weights and ``provenance.json`` may tell it; a folder not of ours tells nothing. With
    the wrong activation weights load, and are wrong.

    Raises:
        WeightsError: they differ, or one of the two files is damaged.
    """
    told = {source: _noted_activation(source)}
    provenance = folder / PROVENANCE
    if provenance.is_file():
        told[provenance] = read_json(provenance).get("activation")
    for path, stored in told.items():
        if stored not in (None, configured):
            right = str(stored == QUICK_GELU).lower()
            raise WeightsError(
                f"{path} says that the weights were trained with {stored}, {folder / CONFIG} "
                f"asks for {configured}: its model_cfg.quick_gelu must be {right}"
            )


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object; `WeightsError` naming the file where it is none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise WeightsError(f"{path} is no sound JSON: {error}") from error
    if not isinstance(found, dict):
        raise WeightsError(f"{path} holds no JSON object")
    return found


def write_json(value: dict[str, Any], path: Path) -> None:
    """Write a JSON object; `TypeError` naming the key whose value JSON does not know."""
    for key, part in value.items():
        try:
            json.dumps(part)
        except TypeError as error:
            raise TypeError(f"{path.name}, key {key!r}: {error}") from error
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


def put_in_place(partial: Path, folder: Path) -> None:
    """Rename the files of ``partial`` into ``folder``, or all at once where there is none.

    The weights come last: until then the folder holds the weights that it held before.
    """
    if not folder.exists():
        partial.rename(folder)
        return
    files = [path for path in partial.rglob("*") if path.is_file()]
    for path in sorted(files, key=lambda path: path.name == WEIGHTS):
        target = folder / path.relative_to(partial)
        target.parent.mkdir(parents=True, exist_ok=True)
        path.replace(target)


def _noted_activation(source: Path) -> str | None:
    """Activation in the metadata of a safetensors file; None where there is none."""
    if source.suffix != ".safetensors":
        return None
    try:
        with safe_open(source, framework="pt") as tensors:
            return (tensors.metadata() or {}).get("activation")
    except (SafetensorError, OSError) as error:
        raise WeightsError(f"{source} is no sound safetensors file: {error}") from error
