"""Rows of results for the three ENT tracks, with paired comparisons of systems."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from endoalign.evaluation.bootstrap import Estimate
from endoalign.evaluation.comparison import Row, difference_rows
from endoalign.evaluation.ent_tracks import Figures

Task = Literal["ent_classification", "ent_i2i", "ent_t2i"]
COMPARED: Final[dict[Task, tuple[str, ...]]] = {
    "ent_classification": ("accuracy", "macro_f1"),
    "ent_i2i": ("recall@1", "mrr"),
    "ent_t2i": ("recall@1", "mrr"),
}


def ent_rows(
    task: Task,
    systems: Mapping[str, Figures],
    *,
    n: int,
    protocol: str = "test",
    pairs: Sequence[tuple[str, str]] = (),
    chance: Mapping[str, float] | None = None,
    note: str = "",
) -> Iterator[Row]:
    """Figures of systems, a row of chance, and paired differences.

    Yields rows for `endoalign.results.Results.extend`. A difference has system ``A − B``, metric
    ``delta:METRIC`` and p values in ``note``, Holm-adjusted over ``pairs``.

    Args:
        systems: name -> figures, all of the same pictures and seed.
        n: pictures or queries behind each figure.
        pairs: systems (A, B) to compare as A - B.
        chance: metric -> value of guessing.
        note: what tells these rows from others of the same task, such as the seed of the training.

    Raises:
        ValueError: there is no system, or two do not share their resamples.
        KeyError: a pair names an unknown system.
    """
    if not systems:
        raise ValueError(f"{task}: no system to report")
    for system, figures in systems.items():
        for metric, estimate in figures.items():
            yield _row(task, system, protocol, metric, estimate.value, estimate.interval, n, note)
    for metric, value in (chance or {}).items():
        said = "closed form, random order" if task != "ent_classification" else "guessing"
        yield _row(task, "chance", protocol, metric, value, None, n, said)
    keyed: dict[str, dict[tuple[str, str], Estimate]] = {
        system: {(protocol, metric): estimate for metric, estimate in figures.items()}
        for system, figures in systems.items()
    }
    keys = [(protocol, metric) for metric in COMPARED[task]]
    for row in difference_rows(keyed, pairs, keys, task=task, n={protocol: n}):
        yield {**row, "note": f"{row['note']}; {note}" if note else row["note"]}


def _row(
    task: str,
    system: str,
    protocol: str,
    metric: str,
    value: float,
    interval: tuple[float, float] | None,
    n: int,
    note: str,
) -> Row:
    return {
        "system": system,
        "task": task,
        "protocol": protocol,
        "metric": metric,
        "value": value,
        "interval": interval,
        "n": n,
        "note": note,
    }
