"""Several processes for one training, started from a notebook or a script."""

import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
import yaml
from accelerate import notebook_launcher

from endoalign.training.job import TrainingJob
from endoalign.training.loop import Data, Report, train
from endoalign.training.talk import CHANNEL, Listener, error_told, failures, teller

SETTINGS = "settings.yaml"


def launch(job: TrainingJob, data: Data, progress: Report | None = None) -> None:
    """Train in ``job.num_processes`` processes of this machine.

    Accelerate's ``notebook_launcher`` forks them; where there is a GPU, ``accelerate launch``
    starts them anew from a settings file.

    Raises:
        RuntimeError: a process failed; the message holds its error.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ[CHANNEL] = name
        try:
            with Listener(folder, progress):
                if not may_fork():
                    launch_command(job, folder)
                else:
                    notebook_launcher(
                        _work, (job, data), job.num_processes, use_port=str(free_port())
                    )
        except Exception as error:
            told = failures(folder) or str(error)
            raise RuntimeError(
                f"training in {job.num_processes} processes failed: {told}"
            ) from error
        finally:
            del os.environ[CHANNEL]


def may_fork() -> bool:
    """Whether processes may be forked: merely asking for CUDA may spoil it for them."""
    return not torch.cuda.is_available()


def launch_command(job: TrainingJob, folder: Path) -> None:
    """Run ``accelerate launch`` on the settings of a job, written to ``folder``.

    Raises:
        CalledProcessError: a process failed.
    """
    settings = folder / SETTINGS
    values = job.model_dump(mode="json")
    for key in ("corpus", "pairs", "validation_pairs", "output", "cache"):
        if values[key] is not None:
            values[key] = str(Path(values[key]).resolve())
    settings.write_text(yaml.safe_dump(values, allow_unicode=True), encoding="utf-8")
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
    subprocess.run([*command, "-m", "endoalign.training", str(settings)], check=True)


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _work(job: TrainingJob, data: Data) -> None:
    """What each forked process does."""
    if not torch.accelerator.is_available():
        torch.set_num_threads(1)  # the threads of the parent do not live on after a fork
    with error_told():
        train(job, data, teller())
