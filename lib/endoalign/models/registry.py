"""Dual encoders by name, with the weights that are asked for."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from endoalign.models.checkpoint import load_encoder
from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.entries import FOLDER, HUB_PREFIX, PACKAGES, RANDOM, Entry, find_entry
from endoalign.models.same_architecture import check_same_architecture
from endoalign.models.scratch import from_packages, from_scratch
from endoalign.models.trained import from_hub, from_tag
from endoalign.models.weights import missing_weights
from endoalign.paths import given

PRETRAINED: Final = "pretrained"
LOCAL_PREFIX: Final = "local-dir:"


def build_encoder(name: str, *, weights: str | None = PRETRAINED, seed: int = 0) -> DualEncoder:
    """A dual encoder, in training mode, on the CPU.

    Args:
        name: a name of the registry (`entries.encoder_names`) or an architecture of OpenCLIP.
        weights: ``pretrained`` or None (the registry's own choice for this name), ``random``, an
            OpenCLIP tag, a hub id ``hf-hub:org/name``, or a local folder (a checkpoint of ours or
            any folder that OpenCLIP reads).
        seed: random weights, and the parts of partly pretrained encoders that start anew, depend
            on it alone; torch's random state is left as it was.

    Raises:
        ValueError: unknown name; the message tells the nearest one.
        WeightsError: the weights are missing (the message tells where to get them and where to
            put them), damaged, or belong to another architecture or activation.
    """
    entry = find_entry(name)
    wanted = entry.pretrained if weights in (None, PRETRAINED) else str(weights)
    if wanted == RANDOM:
        return from_scratch(entry, seed)
    if wanted == PACKAGES and entry.packages:
        return from_packages(entry, seed)
    if wanted.startswith(HUB_PREFIX):
        return from_hub(entry, wanted)
    if wanted in entry.tags:
        return from_tag(entry, wanted)
    folder = given(wanted.removeprefix(LOCAL_PREFIX))
    if wanted != FOLDER and folder.is_dir():
        return _from_folder(entry, folder)
    raise missing_weights(entry.name, *_nowhere(entry, wanted), entry.needs)


def _from_folder(entry: Entry, folder: Path) -> DualEncoder:
    encoder = load_encoder(folder)
    check_same_architecture(entry, encoder.config["model_cfg"], str(folder))
    return replace(encoder, name=entry.name)


def _nowhere(entry: Entry, wanted: str) -> tuple[str, str]:
    """Source and reason for weights that are no tag, no hub id and no folder."""
    tags = f"OpenCLIP's tags of {entry.architecture}: {', '.join(entry.tags)}"
    known = tags if entry.tags else "OpenCLIP has no tags for it"
    if wanted == FOLDER:
        return "the registry", f"there are none by default; {known}"
    return repr(wanted), f"no such folder and no known tag; {known}"
