"""Figures of ENT systems over several trainings: means over seeds, and paired differences."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from endoalign.evaluation.bootstrap import Estimate
from endoalign.evaluation.comparison import Row, derived, difference, holm
from endoalign.evaluation.ent_rows import COMPARED
from endoalign.evaluation.ent_tracks import Figures

Tracks = Mapping[tuple[str, str], Figures]
"""(task, protocol) -> figures of one training."""


def over_seeds(
    figures: Mapping[tuple[str, str, int], Tracks], systems: Sequence[str], *, baseline: str
) -> Iterator[Row]:
    """Rows of means over the trainings of a system, and of their differences from the baseline.

    A mean's interval is over resampled groups of pictures: all trainings are averaged within each
    resample. How far the seeds lie apart stands in ``note`` beside their number. Trainings with a
    seed that the baseline lacks take part in the mean and not in the difference.

    Args:
        figures: (division, system, seed) -> tracks; all of one division share their resamples.
        systems: in the order of the rows; others are left out.
        baseline: what the others are compared with; Holm's family is all systems of one figure.
    """
    for division in dict.fromkeys(key[0] for key in figures):
        of = {
            system: {
                key[2]: found for key, found in figures.items() if key[:2] == (division, system)
            }
            for system in systems
        }
        of = {system: found for system, found in of.items() if found}
        for task, protocol in dict.fromkeys(track for found in figures.values() for track in found):
            where = protocol if division == "official" else f"{protocol}/{division}"
            yield from _means(of, (task, protocol), where)
            if baseline in of:
                yield from _differences(of, (task, protocol), where, baseline)


def mean_estimate(estimates: Sequence[Estimate]) -> Estimate:
    """Mean of figures that share their resamples, resample by resample."""
    return derived(lambda *columns: np.mean(columns, axis=0), *estimates)


def _means(
    of: Mapping[str, Mapping[int, Tracks]], track: tuple[str, str], where: str
) -> Iterator[Row]:
    for system, found in of.items():
        trainings = [tracks[track] for tracks in found.values() if track in tracks]
        for metric in trainings[0] if trainings else ():
            values = [figures[metric].value for figures in trainings]
            mean = mean_estimate([figures[metric] for figures in trainings])
            spread = f"; {min(values):.3f} to {max(values):.3f}" if len(values) > 1 else ""
            note = f"mean of {len(values)} training seed(s){spread}"
            yield _row(track[0], system, where, metric, mean, note)


def _differences(
    of: Mapping[str, Mapping[int, Tracks]], track: tuple[str, str], where: str, baseline: str
) -> Iterator[Row]:
    for metric in COMPARED[track[0]]:  # type: ignore[index]
        found = {}
        for system, trainings in of.items():
            shared = [s for s in trainings if s in of[baseline] and track in trainings[s]]
            if system != baseline and shared:
                pair = [
                    mean_estimate([of[name][s][track][metric] for s in shared])
                    for name in (system, baseline)
                ]
                found[system] = difference(*pair), len(shared)
        adjusted = holm([delta.p for delta, _ in found.values()])
        for (system, (delta, n)), p in zip(found.items(), adjusted, strict=True):
            note = f"mean of {n} training seed(s); p={delta.p:.4g}; p_holm={p:.4g}"
            name = f"{system} − {baseline}"
            yield _row(track[0], name, where, f"delta:{metric}", delta.estimate, note)


def _row(task: str, system: str, protocol: str, metric: str, estimate: Estimate, note: str) -> Row:
    return {
        "system": system,
        "task": task,
        "protocol": protocol,
        "metric": metric,
        "value": estimate.value,
        "interval": estimate.interval,
        "note": note,
    }
