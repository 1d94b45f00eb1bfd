"""Train EndoVLM, or return what is trained already."""

import os

import torch

from endoalign.corpus.tables import load_cases, load_frames
from endoalign.training.accelerator import check_tracker
from endoalign.training.endovlm_batches import case_order
from endoalign.training.endovlm_cases import gather_cases, read_propositions
from endoalign.training.endovlm_digest import endovlm_digest, endovlm_influences
from endoalign.training.endovlm_launch import launch_endovlm
from endoalign.training.endovlm_loop import EndovlmData, Report, train_endovlm
from endoalign.training.endovlm_result import EndovlmResult, stored_endovlm
from endoalign.training.endovlm_settings import EndovlmJob
from endoalign.training.result import stored_facts
from endoalign.training.state import FOLDER, check_output, set_aside


def fit_endovlm(job: EndovlmJob, *, progress: Report | None = None) -> EndovlmResult:
    """Train EndoVLM on whole examinations (section 2).

    A killed training goes on from its last state: on a CPU, with as many processes and threads, to
    the same weights bit for bit. A finished one is not repeated. Where ``job.output`` holds a
    training of other settings or data, a line says so and training starts anew; the old result
    stays until the new one is whole.

    Args:
        job: what to train, on what, and how.
        progress: called with (steps done, steps in all).

    Raises:
        CorpusError: the corpus or the propositions are missing or unfit, or a frame cannot be read.
        WeightsError: weights of a tower are missing.
        ValueError: an unknown tower, fewer cases than processes, a file in the way of
            ``job.output``, a damaged state, or settings that do not fit the machine.
        ModuleNotFoundError: the tracker's package is not installed.
        FloatingPointError: the loss is not finite.
        RuntimeError: one of several processes failed; its error is in the message.
    """
    check_tracker(job.tracker)
    check_output(job.output)
    data = read_endovlm_data(job)
    result = stored_endovlm(job.output, data.digest)
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
            train_endovlm(job, data, progress)
        finally:
            torch.set_rng_state(state)
    else:
        launch_endovlm(job, data, progress)
    result = stored_endovlm(job.output, data.digest)
    if result is None:
        raise RuntimeError(f"{job.output} does not hold the training that was to be written there")
    return result


def read_endovlm_data(job: EndovlmJob) -> EndovlmData:
    """The frames and cases of a job; all that can be wrong with them is told here."""
    frames = load_frames(job.corpus)
    reports = None
    if job.use_global and job.global_text == "report":
        table = load_cases(job.corpus)
        reports = dict(zip(table["case_id"], table["report_text"], strict=True))
    cases = gather_cases(read_propositions(job.propositions), frames, reports)
    case_order(cases, job)
    return EndovlmData(frames, cases, endovlm_digest(job, frames, cases))


def _make_room(job: EndovlmJob, digest: str) -> None:
    """Set a state of another training aside, and say where another result will be replaced."""
    set_aside(job.output / FOLDER, digest)
    facts = stored_facts(job.output)
    if facts is not None:
        new, old = endovlm_influences(job), facts["settings"]
        keys = [name for name in new if new[name] != old.get(name)]
        why = f"other settings ({', '.join(keys)})" if keys else "other data, weights or code"
        print(f"{job.output}: trained with {why}; training anew")
