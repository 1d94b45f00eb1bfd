"""``python -m endoalign.training SETTINGS.yaml``, also under ``accelerate launch``."""

import argparse
import difflib
import os
import sys
from pathlib import Path

from pydantic import ValidationError

from endoalign.config.base import ParameterError
from endoalign.config.files import read_settings
from endoalign.corpus.validation import CorpusError
from endoalign.paths import expand
from endoalign.progress import Progress
from endoalign.training.fit import fit
from endoalign.training.job import TrainingJob
from endoalign.training.talk import error_told, teller

_PATHS = ("corpus", "pairs", "validation_pairs", "output", "cache")


def main(arguments: list[str] | None = None) -> int:
    """Run the training that a settings file describes; returns 1 after an error in the settings."""
    parser = argparse.ArgumentParser(prog="python -m endoalign.training", description=__doc__)
    parser.add_argument("settings", type=Path, help="YAML file with the fields of TrainingJob")
    path = parser.parse_args(arguments).settings
    try:
        with error_told():
            job = read_job(path)
            result = fit(job, progress=teller() or Progress(f"training {job.output.name}"))
    except (ParameterError, CorpusError) as error:
        print(error, file=sys.stderr)
        return 1
    if os.environ.get("RANK", "0") != "0":
        return 0
    best = "" if result.best_epoch is None else f", best epoch {result.best_epoch}"
    print(f"{result.folder}: {len(result.history):,} steps in {result.seconds:,.0f} s{best}")
    return 0


def read_job(path: Path) -> TrainingJob:
    """Read a settings file; its paths are relative to the project's root.

    Raises:
        ParameterError: every fault of the settings, with the file's name.
    """
    values = read_settings(path)
    for key in _PATHS:
        if isinstance(values.get(key), str):
            values[key] = expand(values[key])
    try:
        return TrainingJob.model_validate(values)
    except ValidationError as error:
        faults = "\n".join(
            f"  {_explain('.'.join(map(str, fault['loc'])), fault['type'], fault['msg'])}"
            for fault in error.errors()
        )
        raise ParameterError(f"{path}: wrong settings\n{faults}") from None


def _explain(key: str, kind: str, message: str) -> str:
    if kind != "extra_forbidden":
        return f"{key}: {message}"
    known = list(TrainingJob.model_fields)
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.0)[0]
    return f"{key}: unknown key; did you mean {near!r}? known keys: {', '.join(sorted(known))}"


if __name__ == "__main__":
    sys.exit(main())
