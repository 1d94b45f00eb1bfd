"""Several trainings of EndoVLM on one corpus, side by side."""

from collections.abc import Sequence

from endoalign.models.endovlm_encoder import build_endovlm
from endoalign.training.endovlm_fit import fit_endovlm, read_endovlm_data
from endoalign.training.endovlm_inputs import open_inputs
from endoalign.training.endovlm_loop import Report
from endoalign.training.endovlm_result import stored_endovlm
from endoalign.training.endovlm_settings import EndovlmJob
from endoalign.training.side_by_side import side_by_side


def fit_endovlm_side_by_side(
    jobs: Sequence[EndovlmJob], *, at_once: int, progress: Report | None = None
) -> None:
    """Train what is not trained yet, ``at_once`` jobs at a time, in the order given.

    Nothing is returned: `fit_endovlm` finds what is trained. For processors; with ``at_once`` 1, as
    for an accelerator, and for a single job, nothing is done and `fit_endovlm` trains. Sums differ
    in the last bits with the number of cores that a training has.

    Args:
        progress: gets (jobs done, jobs in all).

    Raises:
        ValueError: ``at_once`` is below 1; or as `fit_endovlm`, like all other errors.
    """
    if at_once == 1:
        return
    waiting = [job for job in jobs if not _is_trained(job)]
    if len(waiting) == 1 and at_once > 1:
        return
    side_by_side(
        fit_endovlm,
        waiting,
        at_once=at_once,
        meanwhile=lambda: _make_caches(waiting[0]),
        progress=progress,
    )


def _is_trained(job: EndovlmJob) -> bool:
    return stored_endovlm(job.output, read_endovlm_data(job).digest) is not None


def _make_caches(job: EndovlmJob) -> None:
    """Write with all cores what the jobs share, before they begin with their part of the cores."""
    if job.cache is None:
        return
    data = read_endovlm_data(job)
    encoder = build_endovlm(job, data.cases.texts, seed=job.seed, name=job.output.name)
    open_inputs(job, data.frames, data.cases, encoder)
