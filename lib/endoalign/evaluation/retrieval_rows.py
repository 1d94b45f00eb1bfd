"""Rows of results for lesion retrieval (task ``retrieval``), and for recovery efficiency."""

from collections.abc import Iterator, Mapping, Sequence

from endoalign.evaluation.comparison import Row, difference_rows, recovery_efficiency
from endoalign.evaluation.ranking import LesionRanks
from endoalign.evaluation.retrieval import RECALL_AT, Figures, chance_figures, retrieval_figures

Pairs = Sequence[tuple[str, str]]


def measure_systems(
    systems: Mapping[str, LesionRanks],
    *,
    resamples: int = 2000,
    seed: int,
    ks: Sequence[int] = RECALL_AT,
) -> dict[str, Figures]:
    """`retrieval_figures` of several systems over shared resamples.

    Raises:
        ValueError: there is no system, or two were not measured on the same lesions.
    """
    if not systems:
        raise ValueError("no system to measure")
    first = next(iter(systems))
    for name, ranks in systems.items():
        if not _same_lesions(ranks, systems[first]):
            raise ValueError(
                f"{name!r} and {first!r} were ranked on different lesions; resamples are shared "
                "only where the lesions and their order are the same"
            )
    return {
        name: retrieval_figures(ranks, resamples=resamples, seed=seed, ks=ks)
        for name, ranks in systems.items()
    }


def retrieval_rows(
    systems: Mapping[str, LesionRanks],
    *,
    pairs: Pairs = (),
    delta_metrics: Sequence[str] = ("recall@1",),
    resamples: int = 2000,
    seed: int,
    ks: Sequence[int] = RECALL_AT,
) -> Iterator[Row]:
    """Figures of every system, chance (system ``chance``), and paired differences.

    Yields rows for `endoalign.results.Results.add`. A difference has system ``A − B``, metric
    ``delta:METRIC`` and p values in ``note``, Holm-adjusted over ``pairs``.

    Args:
        systems: name -> ranks, all on the same lesions.
        pairs: systems (A, B) to compare as A - B.
        delta_metrics: the metrics compared, under every protocol and direction.
        ks: the K of Recall@K.

    Raises:
        ValueError: see `measure_systems`; or a metric of ``delta_metrics`` is not measured.
        KeyError: a pair names an unknown system.
    """
    figures = measure_systems(systems, resamples=resamples, seed=seed, ks=ks)
    ranks = next(iter(systems.values()))
    chance = chance_figures(ranks, ks=ks)
    n = {protocol: len(ranks.protocols[protocol.split("/")[0]].case) for protocol, _ in chance}
    measured = {metric for _, metric in chance}
    if unknown := [metric for metric in delta_metrics if metric not in measured]:
        raise ValueError(f"cannot compare {unknown[0]!r}; measured are {sorted(measured)}")
    for system, found in figures.items():
        for key, estimate in found.items():
            yield _row(system, key, estimate.value, estimate.interval, n[key[0]])
    for key, value in chance.items():
        yield _row("chance", key, value, None, n[key[0]])
    keys = [key for key in chance if key[1] in delta_metrics]
    yield from difference_rows(figures, pairs, keys, task="retrieval", n=n)


def efficiency_row(
    figures: Mapping[str, Figures],
    *,
    full: str = "EndoCLIP",
    naive: str = "naive",
    oracle: str = "oracle",
    protocol: str = "global/mean",
    metric: str = "recall@1",
    n: int,
) -> Row:
    """Row of recovery efficiency (task ``recovery``), with its interval over shared resamples.

    Args:
        figures: system -> figures, from `measure_systems`.
        full, naive, oracle: names of the systems.
        n: number of lesions behind the figures.
    """
    key = protocol, metric
    estimate = recovery_efficiency(figures[full][key], figures[naive][key], figures[oracle][key])
    return {
        "system": full,
        "task": "recovery",
        "protocol": "overall",
        "metric": "efficiency",
        "value": estimate.value,
        "interval": estimate.interval,
        "n": n,
        "note": f"({full} − {naive}) / ({oracle} − {naive}) of {metric}, {protocol}",
    }


def _row(
    system: str,
    key: tuple[str, str],
    value: float,
    interval: tuple[float, float] | None,
    n: int,
) -> Row:
    return {
        "system": system,
        "task": "retrieval",
        "protocol": key[0],
        "metric": key[1],
        "value": value,
        "interval": interval,
        "n": n,
        "note": "closed form, random order" if system == "chance" else "",
    }


def _same_lesions(a: LesionRanks, b: LesionRanks) -> bool:
    return a.case_ids == b.case_ids and all(
        name in b.protocols and ranks.case.tolist() == b.protocols[name].case.tolist()
        for name, ranks in a.protocols.items()
    )
