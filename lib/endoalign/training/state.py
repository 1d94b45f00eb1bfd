"""The state of a training on disk, from which a killed run goes on; it appears whole or not at all.

``train_state/step-00000120/`` holds ``model.safetensors``, ``optimizer.safetensors``,
``best.safetensors`` (where validation chooses), ``history.parquet`` and ``state.json``. A new state
is written beside the old one and renamed; then the old one goes. No random state is kept: order,
augmentation and dropout depend on the seed and the step alone. Nor are frozen parameters: the job
builds them anew, the same.
"""

import errno
import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import pandas as pd
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.optim import Optimizer

FOLDER: Final = "train_state"
MODEL, OPTIMIZER, BEST = "model.safetensors", "optimizer.safetensors", "best.safetensors"
FACTS, HISTORY = "state.json", "history.parquet"


@dataclass
class Progress:
    """How far a training is.

    Attributes:
        digest: of the job (`digest.job_digest`).
        epoch, step: done so far.
        seconds: spent so far, in all runs.
        best_epoch, best_loss: the epoch, counted from 0, of the lowest validation loss so far.
        scaler: state of fp16's loss scaling, empty otherwise.
    """

    digest: str
    epoch: int = 0
    step: int = 0
    seconds: float = 0.0
    best_epoch: int | None = None
    best_loss: float | None = None
    scaler: dict[str, Any] | None = None


def save_state(
    root: Path, progress: Progress, model: nn.Module, optimizer: Optimizer, history: pd.DataFrame
) -> None:
    """Write a state into ``root``; then remove those before it.

    Where ``progress.best_epoch`` is the epoch just done, its weights become the best ones.
    """
    folder = root / f"step-{progress.step:08d}"
    partial = root / f".{folder.name}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    save_file(_learnt(model), partial / MODEL)
    save_file(_flat(optimizer), partial / OPTIMIZER)
    history.to_parquet(partial / HISTORY, index=False)
    before = newest(root)
    if progress.best_epoch is not None:
        is_new = progress.best_epoch == progress.epoch - 1 or before is None
        _link(partial / MODEL if is_new or before is None else before / BEST, partial / BEST)
    (partial / FACTS).write_text(json.dumps(asdict(progress), indent=1) + "\n", encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)
    for old in _states(root):
        if old != folder:
            shutil.rmtree(old, ignore_errors=True)


def load_state(
    folder: Path, model: nn.Module, optimizer: Optimizer
) -> tuple[Progress, pd.DataFrame]:
    """Put a state back into a model and its optimiser; returns progress and history.

    Raises:
        ValueError: a file of the state is missing or damaged; the message tells what to do.
    """
    progress = read_progress(folder)
    try:
        learnt, moments = load_file(folder / MODEL), load_file(folder / OPTIMIZER)
        history = pd.read_parquet(folder / HISTORY)
        if progress.best_epoch is not None:
            with safe_open(folder / BEST, framework="pt"):  # is whole, if it can be opened
                pass
    except (OSError, ValueError, SafetensorError) as error:
        raise _damaged(folder, error) from error
    put_back(model, learnt)
    stored = optimizer.state_dict()
    stored["state"] = {}
    for name, value in moments.items():
        number, _, what = name.partition(".")
        stored["state"].setdefault(int(number), {})[what] = value
    optimizer.load_state_dict(stored)
    return progress, history


def put_back(model: nn.Module, learnt: Mapping[str, Tensor]) -> None:
    """Load what a state holds of a model; its frozen parameters stay as they are.

    Raises:
        RuntimeError: a tensor is none of the model's, or one that it learns is missing.
    """
    missing = set(_learnt(model)) - set(learnt)
    if missing:
        raise RuntimeError(f"the state lacks {min(missing)!r}: train anew")
    model.load_state_dict({**model.state_dict(), **learnt})


def set_aside(root: Path, digest: str) -> None:
    """Move states of a training other than ``digest`` out of the way, and say so.

    What was paid for is not lost to a mistaken setting: states of ``digest`` that were set aside
    before come back, and that training goes on. Of others, the last one set aside is kept.

    Raises:
        ValueError: a state is damaged; the message tells what to do.
    """
    aside, moving = root.with_name(f"{root.name}.other"), root.with_name(f".{root.name}.moving")
    if moving.exists():  # a run was killed between two of the steps below
        moving.rename(root if aside.exists() else aside)
    state = newest(root)
    here = None if state is None else read_progress(state).digest
    if here == digest:
        return
    comes_back = _digest_of(aside) == digest
    if comes_back:
        aside.rename(moving)
    if here is not None:
        shutil.rmtree(aside, ignore_errors=True)
        root.rename(aside)
        print(f"{root.parent}: a stopped training of other settings or data, now in {aside.name}")
    if comes_back:
        shutil.rmtree(root, ignore_errors=True)
        moving.rename(root)
        print(f"{root.parent}: goes on from {aside.name}, where this training was stopped before")


def _digest_of(root: Path) -> str | None:
    """Of the training whose states are in ``root``; None without any that can be read."""
    state = newest(root)
    try:
        return None if state is None else read_progress(state).digest
    except ValueError:
        return None


def newest(root: Path) -> Path | None:
    """The last whole state in ``root``, None where there is none."""
    return max(_states(root), default=None)


def _states(root: Path) -> list[Path]:
    """Whole states; what else lies beside them is the user's."""
    return [one for one in root.glob("step-*") if re.fullmatch(r"step-\d+", one.name)]


def read_progress(folder: Path) -> Progress:
    """What a state says of itself; `ValueError` that tells what to do where it is damaged."""
    try:
        return Progress(**json.loads((folder / FACTS).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise _damaged(folder, error) from error


def check_output(folder: Path) -> None:
    """Raise a `ValueError` where a file is in the way of a folder of results."""
    for place in (folder, *folder.parents):
        if place.exists():
            if not place.is_dir():
                raise ValueError(f"output {folder}: {place} is a file, not a folder")
            return


def _damaged(folder: Path, error: Exception) -> Exception:
    if isinstance(error, OSError) and error.errno not in (None, errno.ENOENT):
        return error  # the state may be sound
    return ValueError(
        f"{folder} is damaged ({str(error).strip() or type(error).__name__}): put its files back, "
        "or remove the folder to train anew"
    )


def _learnt(model: nn.Module) -> dict[str, Tensor]:
    """All tensors of a model but its frozen parameters."""
    frozen = {name for name, p in model.named_parameters() if not p.requires_grad}
    state = model.state_dict()
    return {name: value.contiguous() for name, value in state.items() if name not in frozen}


def _flat(optimizer: Optimizer) -> dict[str, Tensor]:
    """The optimiser's tensors by parameter number and name; its settings come from the job."""
    return {
        f"{number}.{name}": torch.as_tensor(value).contiguous()
        for number, values in optimizer.state_dict()["state"].items()
        for name, value in values.items()
    }


def _link(source: Path, target: Path) -> None:
    """One file under two names, or a copy where the file system knows no such thing."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
