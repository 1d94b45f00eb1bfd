"""``python -m endoalign.training.endovlm_command FILE.yaml``, also under ``accelerate launch``."""

import argparse
import os
import sys
from pathlib import Path

from pydantic import ValidationError

from endoalign.config.base import ParameterError
from endoalign.config.files import read_settings
from endoalign.corpus.validation import nearest
from endoalign.models.weights import WeightsError
from endoalign.paths import expand
from endoalign.progress import Progress
from endoalign.training.endovlm_fit import fit_endovlm
from endoalign.training.endovlm_launch import PATHS
from endoalign.training.endovlm_settings import EndovlmJob
from endoalign.training.talk import error_told, teller


def main(arguments: list[str] | None = None) -> int:
    """Run the training that a settings file describes; returns 1 after an error in the settings."""
    parser = argparse.ArgumentParser(prog="python -m endoalign.training.endovlm_command")
    parser.add_argument("settings", type=Path, help="YAML file with the fields of EndovlmJob")
    path = parser.parse_args(arguments).settings
    try:
        with error_told():
            job = read_endovlm_job(path)
            told = teller() or Progress(f"training {job.output.name}")
            result = fit_endovlm(job, progress=told)
    except (ValueError, WeightsError) as error:
        print(error, file=sys.stderr)
        return 1
    if os.environ.get("RANK", "0") == "0":
        print(f"{result.folder}: {len(result.history):,} steps in {result.seconds:,.0f} s")
    return 0


def read_endovlm_job(path: Path) -> EndovlmJob:
    """Read a settings file; its paths are relative to the project's root.

    Raises:
        ParameterError: every fault of the settings, with the file's name.
    """
    values = read_settings(path)
    for key in PATHS:
        if isinstance(values.get(key), str):
            values[key] = expand(values[key])
    try:
        return EndovlmJob.model_validate(values)
    except ValidationError as error:
        faults = (
            f"  {_explain('.'.join(map(str, one['loc'])), one['type'], one['msg'])}"
            for one in error.errors()
        )
        raise ParameterError("\n".join([f"{path}: wrong settings", *faults])) from None


def _explain(key: str, kind: str, message: str) -> str:
    if kind != "extra_forbidden":
        return f"{key}: {message}"
    known = sorted(EndovlmJob.model_fields)
    return f"{key}: unknown key{nearest(key, known)}; known keys: {', '.join(known)}"


if __name__ == "__main__":
    sys.exit(main())
