"""Rows of results for the retrieval of frames by sentences, with intervals and paired tests."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np
import pandas as pd

from endoalign.evaluation.bootstrap import Estimate, weighted_means, whole_and_resamples
from endoalign.evaluation.comparison import Row, derived, difference_rows

METRIC: Final = "recall@1"

Key = tuple[str, str]
Figures = dict[Key, Estimate]


def retrieval_figures(
    found: Mapping[str, pd.DataFrame], *, cases: Sequence[str], resamples: int = 2000, seed: int
) -> Figures:
    """Recall@1 of one system by task and protocol, and the mean of all, over shared resamples.

    Args:
        found: task -> `hits`.
        cases: all cases that may be drawn; the same for systems that are to be compared.

    Returns:
        (task, protocol) -> estimate; ``("mean", "all")`` is the mean of the others.
    """
    weights = whole_and_resamples(len(cases), resamples=resamples, seed=seed)
    index = pd.Index(cases)
    figures: Figures = {}
    for task, table in found.items():
        for protocol, part in table.groupby("protocol"):
            case = index.get_indexer(pd.Index(part["case_id"])).astype(np.int64)
            values = part[["hit"]].to_numpy(dtype=np.float64)
            samples = weighted_means(values, case, weights)[:, 0]
            figures[task, str(protocol)] = Estimate.from_whole(samples)
    if figures:
        mean = derived(lambda *parts: np.mean(parts, axis=0), *figures.values())
        figures["mean", "all"] = mean
    return figures


def region_rows(
    systems: Mapping[str, Mapping[str, pd.DataFrame]],
    *,
    pairs: Sequence[tuple[str, str]] = (),
    resamples: int = 2000,
    seed: int,
) -> Iterator[Row]:
    """Rows of every system, of chance (system ``chance``), and of paired differences.

    Args:
        systems: name -> task -> `hits`, all of the same sentences.
        pairs: systems (A, B) to compare as A - B; Holm's correction is over them.

    Yields rows for `endoalign.results.Results.add`.

    Raises:
        ValueError: there is no system.
        KeyError: a pair names an unknown system.
    """
    if not systems:
        raise ValueError("no system to measure")
    first = next(iter(systems.values()))
    tables = {task: table for task, table in first.items() if len(table)}
    cases = sorted(set().union(*(table["case_id"] for table in tables.values())))
    chance = {task: table.assign(hit=table["chance"]) for task, table in tables.items()}
    figures = {
        name: retrieval_figures(
            {task: found[task] for task in tables}, cases=cases, resamples=resamples, seed=seed
        )
        for name, found in {**systems, "chance": chance}.items()
    }
    counts = {
        (task, str(protocol)): len(part)
        for task, table in tables.items()
        for protocol, part in table.groupby("protocol")
    }
    counts["mean", "all"] = sum(counts.values())
    for system, estimates in figures.items():
        for (task, protocol), estimate in estimates.items():
            yield {
                "system": system,
                "task": task,
                "protocol": protocol,
                "metric": METRIC,
                "value": estimate.value,
                "interval": None if system == "chance" else estimate.interval,
                "n": counts[task, protocol],
                "note": "closed form, a frame at random" if system == "chance" else "",
            }
    for task in {key[0]: None for key in counts}:
        protocols = [protocol for named, protocol in counts if named == task]
        of_task = {
            name: {(protocol, METRIC): found[task, protocol] for protocol in protocols}
            for name, found in figures.items()
        }
        keys = [(protocol, METRIC) for protocol in protocols]
        n = {protocol: counts[task, protocol] for protocol in protocols}
        yield from difference_rows(of_task, pairs, keys, task=task, n=n)
