"""A finished EndoVLM training: what its folder says of it."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from endoalign.corpus.files import write_parquet, write_text
from endoalign.models.endovlm_checkpoint import save_endovlm
from endoalign.models.endovlm_encoder import EndovlmEncoder
from endoalign.models.endovlm_settings import without_places
from endoalign.training.endovlm_digest import endovlm_influences
from endoalign.training.endovlm_settings import EndovlmJob
from endoalign.training.result import FACTS, HISTORY, stored_facts
from endoalign.training.state import FOLDER, Progress


@dataclass(frozen=True)
class EndovlmResult:
    """A finished training.

    Attributes:
        folder: the checkpoint, of the last epoch (`endovlm_checkpoint.load_endovlm`).
        history: one row a step, columns as in `endovlm_history.ENDOVLM_COLUMNS`.
        seconds: spent on training, over all runs where it was resumed.
    """

    folder: Path
    history: pd.DataFrame
    seconds: float


def stored_endovlm(folder: Path, digest: str) -> EndovlmResult | None:
    """The finished training of this digest in ``folder``, None where there is none."""
    facts = stored_facts(folder)
    if facts is None or facts["digest"] != digest:
        return None
    return EndovlmResult(folder, pd.read_parquet(folder / HISTORY), facts["seconds"])


def store_endovlm(
    job: EndovlmJob, encoder: EndovlmEncoder, progress: Progress, history: pd.DataFrame
) -> None:
    """Write checkpoint and history, ``training.json`` last; the state is not needed any more.

    A result of other settings is replaced here and not before.
    """
    influences = endovlm_influences(job)
    facts = {
        "digest": progress.digest,
        "settings": influences,
        "highest_learning_rate": job.highest_rate(),
        "data": {"corpus": job.corpus.name, "propositions": job.propositions.name},
        "epochs": progress.epoch,
        "steps": progress.step,
        "seconds": round(progress.seconds, 1),
    }
    (job.output / FACTS).unlink(missing_ok=True)
    portable = {name: value for name, value in without_places(job).items() if name in influences}
    save_endovlm(encoder, job.output, provenance={**facts, "settings": portable})
    write_parquet(history, job.output / HISTORY)
    write_text(json.dumps(facts, indent=1) + "\n", job.output / FACTS)
    shutil.rmtree(job.output / FOLDER, ignore_errors=True)
