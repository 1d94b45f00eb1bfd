"""What tells whether a folder holds the result, or the state, of this very EndoVLM training."""

import hashlib
import json
from pathlib import Path
from typing import Final

import pandas as pd

import endoalign.losses
import endoalign.models
import endoalign.training
from endoalign.paths import given
from endoalign.training.digest import WITHOUT_EFFECT
from endoalign.training.endovlm_cases import EndovlmCases
from endoalign.training.endovlm_settings import EndovlmJob

_PICTURE: Final = ["frame_id", "sha256", "box_left", "box_top", "box_right", "box_bottom"]
_CODE: Final = (endoalign.losses, endoalign.models, endoalign.training)


def endovlm_digest(job: EndovlmJob, frames: pd.DataFrame, cases: EndovlmCases) -> str:
    """64 hexadecimal digits over all that the trained weights depend on.

    The settings, texts and labels, the frames by their contents, weights that come from a file or
    folder, and the code of the rooms that train.
    """
    digest = hashlib.sha256(json.dumps(endovlm_influences(job), sort_keys=True).encode())
    digest.update(json.dumps([cases.case_ids, cases.propositions, cases.reports]).encode())
    numbers = (cases.frame_offsets, cases.regions, cases.abnormal, cases.proposition_offsets)
    for values in numbers:
        digest.update(values.tobytes())
    used = frames[_PICTURE].iloc[cases.frame_rows].astype(str)
    digest.update(pd.util.hash_pandas_object(used, index=False).to_numpy().tobytes())
    for path in [*_weights(job.image_weights), *_weights(job.text_tower), *_modules()]:
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def endovlm_influences(job: EndovlmJob) -> dict[str, object]:
    """The settings on which the trained weights depend."""
    return job.model_dump(mode="json", exclude=WITHOUT_EFFECT | {"propositions"})


def _weights(name: str) -> list[Path]:
    path = given(name)
    if path.is_file():
        return [path]
    return sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else []


def _modules() -> list[Path]:
    folders = [Path(folder) for room in _CODE for folder in room.__path__]
    return sorted(path for folder in folders for path in folder.rglob("*.py"))
