"""Train an ENT-CLIP model, or return what is trained already."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pandas as pd
import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState

from endoalign.corpus.files import write_parquet, write_text
from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.ent_clip import EntClip
from endoalign.models.ent_files import load_ent_clip, save_ent_clip
from endoalign.training.ent_data import EntPictures
from endoalign.training.ent_loop import EntTrainer, Report
from endoalign.training.ent_settings import EntSettings
from endoalign.training.ent_state import ent_digest
from endoalign.training.state import FOLDER, check_output, set_aside

FACTS: Final = "training.json"
HISTORY: Final = "history.parquet"


@dataclass(frozen=True)
class EntResult:
    """A finished training.

    Attributes:
        model: in evaluation mode, on the CPU.
        folder: what `load_ent_clip` reads.
        history: one row a step, columns as in `ent_history.ENT_COLUMNS`.
        seconds: spent on training, over all runs where it was resumed.
    """

    model: EntClip
    folder: Path
    history: pd.DataFrame
    seconds: float


def fit_ent(
    encoder: DualEncoder,
    pictures: EntPictures,
    settings: EntSettings,
    output: Path,
    *,
    seed: int,
    merged: bool = False,
    progress: Report | None = None,
) -> EntResult:
    """Train on the pictures of split ``train`` (ENT-CLIP, section 4.1).

    Pictures of split ``validation``, where there are any, are measured after every epoch and
    choose nothing: the last weights are kept. A killed training goes on from its last epoch, to
    the same weights bit for bit on a CPU with as many threads; a finished one of the same
    settings, pictures, weights and code is not repeated.

    Args:
        encoder: what is started from; a copy is trained, this one stays as it is.
        output: folder of the model (`ent_files.save_ent_clip`), ``history.parquet`` and
            ``training.json``.
        seed: of new weights, order, augmentation, interpolation and dropout.
        merged: write the merged encoder too; done in any case where the tower is trained whole.

    Raises:
        ValueError: pictures have another size than the encoder takes, no picture is of split
            ``train``, settings do not fit the encoder, a file is in the way of ``output``, or a
            state is damaged.
        FloatingPointError: the loss is not finite.
    """
    check_output(output)
    if pictures.pixels.size != encoder.image_size:
        raise ValueError(
            f"pictures of {pictures.pixels.size} pixels, but {encoder.name} takes "
            f"{encoder.image_size}; open them at that size"
        )
    pictures.rows("train")
    digest = ent_digest(encoder, pictures, settings, seed)
    own = replace(encoder, model=deepcopy(encoder.model))
    if (stored := _stored(output, digest, own)) is not None:
        return stored
    states = output / FOLDER
    set_aside(states, digest)
    random_state = torch.get_rng_state()
    try:
        model = EntClip(own, pictures.classes, settings, seed=seed)
        with _accelerated(settings) as accelerator:
            trainer = EntTrainer(
                model,
                pictures,
                settings,
                accelerator,
                seed=seed,
                states=states,
                digest=digest,
                report=progress,
            )
            trainer.run()
            history, seconds = trainer.history.table(), trainer.progress.seconds
            if accelerator.is_main_process:
                whole = merged or settings.tower == "full"
                _store(model.cpu(), output, history, digest, seed, seconds, merged=whole)
            accelerator.wait_for_everyone()
    finally:
        torch.set_rng_state(random_state)
    return EntResult(model.cpu().eval(), output, history, seconds)


def _store(
    model: EntClip,
    output: Path,
    history: pd.DataFrame,
    digest: str,
    seed: int,
    seconds: float,
    *,
    merged: bool,
) -> None:
    """Write model and history, ``training.json`` last; the states are not needed any more."""
    (output / FACTS).unlink(missing_ok=True)
    save_ent_clip(model, output, provenance={"seed": seed, "digest": digest}, merged=merged)
    write_parquet(history, output / HISTORY)
    facts = {"digest": digest, "seed": seed, "seconds": round(seconds, 1), "steps": len(history)}
    write_text(json.dumps(facts, indent=1) + "\n", output / FACTS)
    shutil.rmtree(output / FOLDER, ignore_errors=True)


def _stored(output: Path, digest: str, encoder: DualEncoder) -> EntResult | None:
    """The finished training of this digest in ``output``, None where there is none."""
    try:
        facts = json.loads((output / FACTS).read_text(encoding="utf-8"))
        history = pd.read_parquet(output / HISTORY)
    except (OSError, ValueError):
        return None
    if not isinstance(facts, dict) or facts.get("digest") != digest:
        return None
    return EntResult(load_ent_clip(output, encoder), output, history, facts["seconds"])


@contextmanager
def _accelerated(settings: EntSettings) -> Iterator[Accelerator]:
    """An accelerator for one training; its global state is undone afterwards."""
    mixed = {"fp32": "no", "bf16": "bf16"}[settings.precision]
    try:
        yield Accelerator(cpu=not torch.accelerator.is_available(), mixed_precision=mixed)
    finally:
        # A singleton would hold the precision of this training for all later ones in the process.
        AcceleratorState._reset_state(reset_partial_state=True)
