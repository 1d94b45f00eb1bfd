"""Several trainings of ENT-CLIP from one start, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from endoalign.models.checkpoint import load_encoder
from endoalign.training.ent_data import EntPictures
from endoalign.training.ent_fit import fit_ent
from endoalign.training.ent_loop import Report
from endoalign.training.ent_settings import EntSettings
from endoalign.training.side_by_side import side_by_side


@dataclass(frozen=True)
class EntRun:
    """One training: how, into which folder, and with which seed."""

    settings: EntSettings
    output: Path
    seed: int


def fit_ent_side_by_side(
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
    if at_once == 1:
        return
    side_by_side(
        _fit, runs, at_once=at_once, begin=_begin, given=(start, pictures), progress=progress
    )


_given: dict[str, object] = {}
"""In a worker: the start and the pictures, which all its runs share."""


def _begin(start: Path, pictures: EntPictures) -> None:
    _given.update(encoder=load_encoder(start), pictures=pictures)


def _fit(run: EntRun) -> None:
    encoder, pictures = _given["encoder"], _given["pictures"]
    fit_ent(encoder, pictures, run.settings, run.output, seed=run.seed)  # type: ignore[arg-type]
