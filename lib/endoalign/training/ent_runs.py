"""Several trainings of ENT-CLIP from one start, side by side in processes of their own.

A small model leaves the cores of a processor idle: two trainings with one core each are done in
little more than half the time of one after the other with both.
"""

import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import torch

from endoalign.models.checkpoint import load_encoder
from endoalign.training.ent_data import EntPictures
from endoalign.training.ent_fit import fit_ent
from endoalign.training.ent_loop import Report
from endoalign.training.ent_settings import EntSettings


@dataclass(frozen=True)
class EntRun:
    """One training: how, into which folder, and with which seed."""

    settings: EntSettings
    output: Path
    seed: int


def fit_side_by_side(
    start: Path,
    pictures: EntPictures,
    runs: Sequence[EntRun],
    *,
    at_once: int,
    progress: Report | None = None,
) -> None:
    """Train every run from the checkpoint ``start``, ``at_once`` of them at a time.

    Nothing is returned: `fit_ent` with the same arguments finds what is trained already. For
    processors; with ``at_once`` 1, as for an accelerator, nothing is done and `fit_ent` trains.

    Args:
        start: folder of the checkpoint that all runs start from.
        progress: gets (runs done, runs in all).

    Raises:
        ValueError: ``at_once`` is below 1; or as `fit_ent`.
        FloatingPointError: as `fit_ent`.
    """
    if at_once < 1:
        raise ValueError(f"at_once {at_once} must be at least 1")
    if at_once == 1:
        return
    cores = max(1, (os.cpu_count() or 1) // at_once)
    # Forked workers inherit the threads of torch in a broken state: start them afresh.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        at_once, context, initializer=_begin, initargs=(start, pictures, cores)
    ) as pool:
        waiting = [pool.submit(_fit, run) for run in runs]
        for done, finished in enumerate(as_completed(waiting), start=1):
            finished.result()
            if progress is not None:
                progress(done, len(runs))


_given: dict[str, object] = {}
"""In a worker: the start and the pictures, which all its runs share."""


def _begin(start: Path, pictures: EntPictures, cores: int) -> None:
    torch.set_num_threads(cores)
    _given.update(encoder=load_encoder(start), pictures=pictures)


def _fit(run: EntRun) -> None:
    encoder, pictures = _given["encoder"], _given["pictures"]
    fit_ent(encoder, pictures, run.settings, run.output, seed=run.seed)  # type: ignore[arg-type]
