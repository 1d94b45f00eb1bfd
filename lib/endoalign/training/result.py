"""A finished training: what its folder says of it."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pandas as pd
from safetensors.torch import load_file

from endoalign.corpus.files import write_parquet, write_text
from endoalign.models.checkpoint import save_encoder
from endoalign.models.dual_encoder import DualEncoder
from endoalign.training.digest import influences
from endoalign.training.job import TrainingJob
from endoalign.training.state import BEST, Progress

FACTS: Final = "training.json"
HISTORY: Final = "history.parquet"
BEST_FOLDER: Final = "best"


@dataclass(frozen=True)
class TrainingResult:
    """A finished training.

    Attributes:
        folder: the last checkpoint; ``folder / "best"`` is the best one where validation chose.
        history: one row an optimiser step: ``step``, ``epoch``, ``loss``, ``learning_rate``,
            ``logit_scale`` (after the step), ``repeated_share`` (share of the batch's pairs whose
            text stands there more than once), ``validation_loss`` (last step of an epoch, else
            NaN). Steps and epochs count from 0.
        best_epoch: of the lowest validation loss, counted from 0; None without validation.
        seconds: spent on training, over all runs where it was resumed.
    """

    folder: Path
    history: pd.DataFrame
    best_epoch: int | None
    seconds: float


def stored_result(folder: Path, digest: str) -> TrainingResult | None:
    """The finished training of this digest in ``folder``, None where there is none."""
    facts = stored_facts(folder)
    if facts is None or facts["digest"] != digest:
        return None
    history = pd.read_parquet(folder / HISTORY)
    return TrainingResult(folder, history, facts["best_epoch"], facts["seconds"])


def stored_facts(folder: Path) -> dict[str, Any] | None:
    """What ``training.json`` says, None where no training into ``folder`` is finished."""
    try:
        facts: dict[str, Any] = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return facts


def store_result(
    job: TrainingJob, encoder: DualEncoder, progress: Progress, history: pd.DataFrame, state: Path
) -> None:
    """Write the last and the best checkpoint and the history, ``training.json`` last.

    A result of other settings is replaced here and not before. The encoder holds the last weights
    before and the best ones after.
    """
    facts = {
        "digest": progress.digest,
        "settings": influences(job),
        "data": _names(job),
        "epochs": progress.epoch,
        "steps": progress.step,
        "best_epoch": progress.best_epoch,
        "validation_loss": progress.best_loss,
        "seconds": round(progress.seconds, 1),
    }
    (job.output / FACTS).unlink(missing_ok=True)
    save_encoder(encoder, job.output, provenance={**facts, "weights_of": "last epoch"})
    best = job.output / BEST_FOLDER
    shutil.rmtree(best, ignore_errors=True)
    if progress.best_epoch is not None:
        learnt = load_file(state / BEST)
        encoder.model.load_state_dict({**encoder.model.state_dict(), **learnt})
        save_encoder(encoder, best, provenance={**facts, "weights_of": "best epoch"})
    write_parquet(history, job.output / HISTORY)
    write_text(json.dumps(facts, indent=1) + "\n", job.output / FACTS)


def _names(job: TrainingJob) -> dict[str, str | None]:
    """Names of the data, without the places where they lie on this machine."""
    validation = job.validation_pairs
    return {
        "corpus": job.corpus.name,
        "pairs": job.pairs.name,
        "validation_pairs": None if validation is None else validation.name,
    }
