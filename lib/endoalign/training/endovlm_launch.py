"""Several processes for one EndoVLM training, started from a notebook or a script."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import torch
import yaml
from accelerate import notebook_launcher

from endoalign.training.endovlm_loop import EndovlmData, Report, train_endovlm
from endoalign.training.endovlm_settings import EndovlmJob
from endoalign.training.launch import SETTINGS, free_port, may_fork
from endoalign.training.talk import CHANNEL, Listener, error_told, failures, teller

PATHS: Final = ("corpus", "propositions", "output", "cache")
"""Settings that are paths."""


def launch_endovlm(job: EndovlmJob, data: EndovlmData, progress: Report | None = None) -> None:
    """Train in ``job.num_processes`` processes of this machine.

    They are forked; where there is a GPU, ``accelerate launch`` starts them anew from a settings
    file.

    Raises:
        RuntimeError: a process failed; the message holds its error.
    """
    with tempfile.TemporaryDirectory() as name:
        os.environ[CHANNEL] = name
        try:
            with Listener(Path(name), progress):
                if not may_fork():
                    subprocess.run(_command(job, Path(name)), check=True)
                else:
                    port = str(free_port())
                    notebook_launcher(_work, (job, data), job.num_processes, use_port=port)
        except Exception as error:
            told = failures(Path(name)) or str(error)
            raise RuntimeError(
                f"training in {job.num_processes} processes failed: {told}"
            ) from error
        finally:
            del os.environ[CHANNEL]


def _command(job: EndovlmJob, folder: Path) -> list[str]:
    """``accelerate launch`` of `endovlm_command` on a job's settings, written to ``folder``."""
    values = job.model_dump(mode="json")
    for key in PATHS:
        if values[key] is not None:
            values[key] = str(Path(values[key]).resolve())
    file = folder / SETTINGS
    file.write_text(yaml.safe_dump(values, allow_unicode=True), encoding="utf-8")
    options = {
        "num_processes": job.num_processes,
        "num_machines": 1,
        "mixed_precision": "no",  # the job says it
        "dynamo_backend": "no",
        "main_process_port": free_port(),
    }
    command = [sys.executable, "-m", "accelerate.commands.launch"]
    command += [part for name, value in options.items() for part in (f"--{name}", str(value))]
    command += [] if torch.cuda.is_available() else ["--cpu"]
    return [*command, "-m", "endoalign.training.endovlm_command", str(file)]


def _work(job: EndovlmJob, data: EndovlmData) -> None:
    """What each forked process does."""
    if not torch.accelerator.is_available():
        torch.set_num_threads(1)  # the threads of the parent do not live on after a fork
    with error_told():
        train_endovlm(job, data, teller())
