"""Where trained weights come from, and the one error when they are missing."""

import struct
from pathlib import Path
from pickle import UnpicklingError
from typing import Final

from open_clip.pretrained import get_pretrained_cfg

from endoalign.models.architecture import GELU, QUICK_GELU, activation
from endoalign.models.entries import Entry

WEIGHT_FILES: Final = (
    "model.safetensors",
    "open_clip_model.safetensors",
    "open_clip_pytorch_model.safetensors",
    "open_clip_pytorch_model.bin",
)
UNREADABLE: Final = (UnpicklingError, EOFError, LookupError, UnicodeDecodeError, struct.error)
"""What torch raises for a damaged pickle, besides errors of the system and `RuntimeError`."""
WHERE: Final = (
    "Or give a local folder that OpenCLIP reads (open_clip_config.json and its weights) as "
    "`weights`. Weights fetched from the hub are kept under the folder that the environment "
    "variable HF_HOME names. Nothing was downloaded."
)


class WeightsError(RuntimeError):
    """Weights are missing, or do not belong to the encoder that was asked for."""


def missing_weights(name: str, source: str, reason: str, needs: str = "") -> WeightsError:
    """The error for weights of encoder ``name`` that are not to be had from ``source``."""
    remedy = f"To get them: {needs}. " if needs else ""
    return WeightsError(f"encoder {name}: no weights from {source} ({reason}). {remedy}{WHERE}")


def check_activation(entry: Entry, tag: str) -> None:
    """Refuse weights of an OpenCLIP tag on an architecture with another activation.

    OpenAI's weights were trained with QuickGELU; with GELU they load, and are wrong.

    Raises:
        WeightsError: the activations differ; the message names the architecture to take.
    """
    architecture, model_cfg = entry.architecture, entry.model_cfg
    if architecture is None or model_cfg is None:
        raise WeightsError(f"encoder {entry.name} has no tags: it is no architecture of OpenCLIP")
    facts = get_pretrained_cfg(architecture, tag)
    trained_with = QUICK_GELU if facts.get("quick_gelu") else GELU
    if trained_with != activation(model_cfg):
        plain = architecture.removesuffix("-quickgelu")
        right = f"{plain}-quickgelu" if trained_with == QUICK_GELU else plain
        raise WeightsError(
            f"encoder {entry.name}: the weights {tag!r} were trained with {trained_with}, the "
            f"architecture {architecture} has {activation(model_cfg)}: take {right}"
        )


def weights_file(folder: Path) -> Path:
    """The file with the weights in a folder that OpenCLIP reads.

    Raises:
        WeightsError: the folder has none of the names that OpenCLIP looks for.
    """
    for name in WEIGHT_FILES:
        if (folder / name).is_file():
            return folder / name
    raise WeightsError(f"{folder} has no weights: none of {', '.join(WEIGHT_FILES)}")


def first_line(error: BaseException) -> str:
    """The first line of an error's message, or its kind where it has none."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
