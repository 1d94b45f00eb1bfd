"""Accelerate, set up for a training: device, precision, processes and trackers."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState

from endoalign.training.digest import influences
from endoalign.training.job import TrainingJob

_MIXED: Final = {"fp32": "no", "bf16": "bf16", "fp16": "fp16"}


@contextmanager
def accelerated(job: TrainingJob) -> Iterator[Accelerator]:
    """An accelerator for one training in this process; its global state is undone afterwards.

    Raises:
        ModuleNotFoundError: the tracker's package is not installed.
        ValueError: fp16 without a GPU.
    """
    check_tracker(job.tracker)
    has_device = torch.accelerator.is_available()
    if job.precision == "fp16" and not torch.cuda.is_available():
        raise ValueError("precision fp16 needs a CUDA GPU; use fp32 or bf16 here")
    try:
        accelerator = Accelerator(
            cpu=not has_device,
            mixed_precision=_MIXED[job.precision],
            log_with=None if job.tracker == "none" else job.tracker,
            project_dir=job.output,
        )
        if job.tracker != "none":
            facts = {name: value for name, value in influences(job).items() if value is not None}
            # For TensorBoard the name of a folder in the output, for W&B that of a project.
            name = "logs" if job.tracker == "tensorboard" else "endoalign"
            accelerator.init_trackers(name, config=facts)
        yield accelerator
        accelerator.end_training()
    finally:
        # A singleton would hold the precision of this training for all later ones in the process.
        AcceleratorState._reset_state(reset_partial_state=True)


def check_tracker(tracker: str) -> None:
    """Raise a ModuleNotFoundError that says what to install where a tracker is missing."""
    package = {"tensorboard": "tensorboard", "wandb": "wandb"}.get(tracker)
    if package is not None and importlib.util.find_spec(package) is None:
        raise ModuleNotFoundError(
            f"tracker: {tracker} needs the package {package}: pip install {package}, or choose "
            "tracker: none (history.parquet is written in any case)"
        )
