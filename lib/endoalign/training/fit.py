"""Train, or return what is trained already."""

import os

import torch

from endoalign.corpus.tables import load_frames
from endoalign.training.accelerator import check_tracker
from endoalign.training.digest import influences, job_digest
from endoalign.training.job import TrainingJob
from endoalign.training.launch import launch
from endoalign.training.loop import Data, Report, train
from endoalign.training.order import EpochOrder
from endoalign.training.pairs import read_training_pairs
from endoalign.training.result import TrainingResult, stored_facts, stored_result
from endoalign.training.state import FOLDER, check_output, set_aside


def fit(job: TrainingJob, *, progress: Report | None = None) -> TrainingResult:
    """Train a dual encoder on pairs (EndoCLIP, sections 4.4.3 and 4.4.4).

    A killed training goes on from its last state: on a CPU, with as many processes and threads, to
    the same weights bit for bit. A finished one is not repeated. Where ``job.output`` holds a
    training of other settings or data, a line says so and training starts anew; the old result
    stays until the new one is whole.

    Args:
        job: what to train, on what, and how.
        progress: called with (steps done, steps in all).

    Raises:
        CorpusError: the corpus or the pairs are missing or unfit, or a frame cannot be read.
        WeightsError: weights of the encoder are missing.
        ValueError: unknown encoder, fewer pairs than processes, a file in the way of
            ``job.output``, a damaged state, or settings that do not fit the machine.
        ModuleNotFoundError: the tracker's package is not installed.
        FloatingPointError: the loss is not finite.
        RuntimeError: one of several processes failed; its error is in the message.
    """
    check_tracker(job.tracker)
    check_output(job.output)
    data = read_data(job)
    result = stored_result(job.output, data.digest)
    if result is not None:
        return result
    launched = int(os.environ.get("WORLD_SIZE", "1"))  # as a launcher says, 1 without one
    if launched not in {1, job.num_processes}:
        raise ValueError(
            f"{launched} processes were launched, but the settings say num_processes: "
            f"{job.num_processes}; make the two agree"
        )
    if launched == 1 or os.environ.get("RANK") == "0":
        _make_room(job, data.digest)
    if launched == job.num_processes:
        state = torch.get_rng_state()
        try:
            train(job, data, progress)
        finally:
            torch.set_rng_state(state)
    else:
        launch(job, data, progress)
    result = stored_result(job.output, data.digest)
    if result is None:
        raise RuntimeError(f"{job.output} does not hold the training that was to be written there")
    return result


def read_data(job: TrainingJob) -> Data:
    """The corpus's frames and the pairs of a job; all that can be wrong with them is told here."""
    frames = load_frames(job.corpus)
    pairs = read_training_pairs(job.pairs, frames)
    held_out = job.validation_pairs
    validation = None if held_out is None else read_training_pairs(held_out, frames)
    EpochOrder.of(pairs, job)
    return Data(frames, pairs, validation, job_digest(job, frames, pairs, validation))


def _make_room(job: TrainingJob, digest: str) -> None:
    """Set a state of another training aside, and say where another result will be replaced."""
    set_aside(job.output / FOLDER, digest)
    facts = stored_facts(job.output)
    if facts is not None:
        new, old = influences(job), facts["settings"]
        keys = [name for name in new if new[name] != old.get(name)]
        why = f"other settings ({', '.join(keys)})" if keys else "other data, weights or code"
        print(f"{job.output}: trained with {why}; training anew")
