"""What tells whether a folder holds the result, or the state, of this very training."""

import hashlib
import json
from pathlib import Path
from typing import Final

import pandas as pd

import endoalign.losses
import endoalign.models
import endoalign.training
from endoalign.models.registry import LOCAL_PREFIX
from endoalign.paths import given
from endoalign.training.job import TrainingJob
from endoalign.training.pairs import TrainingPairs

WITHOUT_EFFECT: Final = {
    "corpus",
    "pairs",
    "validation_pairs",
    "output",
    "cache",
    "workers",
    "tracker",
    "save_every",
}
"""Settings that change where things lie or how fast they come, not what is learnt."""
_WEIGHTS: Final = (".safetensors", ".bin", ".pt", ".pth")
_CODE: Final = (endoalign.losses, endoalign.models, endoalign.training)
_PICTURE: Final = ["frame_id", "sha256", "box_left", "box_top", "box_right", "box_bottom"]


def job_digest(
    job: TrainingJob,
    frames: pd.DataFrame,
    pairs: TrainingPairs,
    validation: TrainingPairs | None,
) -> str:
    """64 hexadecimal digits over all that the trained weights depend on.

    The settings, the pairs and the frames they name (by their contents, not their paths), weights
    that come from a folder, and the code of the rooms that train: a result of older code must not
    be taken for one of today's.
    """
    digest = hashlib.sha256()
    digest.update(json.dumps(influences(job), sort_keys=True).encode())
    for one in (pairs, validation):
        if one is not None:
            digest.update(b"pairs")
            for values in (one.text_ids, one.bags):
                digest.update(values.tobytes())
            digest.update(json.dumps(one.texts).encode())
            used = frames[_PICTURE].iloc[one.rows].astype(str)
            digest.update(pd.util.hash_pandas_object(used, index=False).to_numpy().tobytes())
    for path in [*_weight_files(job.weights), *_modules()]:
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def influences(job: TrainingJob) -> dict[str, object]:
    """The settings on which the trained weights depend."""
    return job.model_dump(mode="json", exclude=WITHOUT_EFFECT)


def _weight_files(weights: str | None) -> list[Path]:
    if weights is None:
        return []
    folder = given(weights.removeprefix(LOCAL_PREFIX))
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.suffix in _WEIGHTS)


def _modules() -> list[Path]:
    folders = [Path(folder) for room in _CODE for folder in room.__path__]
    return sorted(path for folder in folders for path in folder.rglob("*.py"))
