"""The ladder beside the paper: figures that the paper prints (Tables S3 and S4) and ours."""

from collections.abc import Mapping, Sequence
from typing import Final

import pandas as pd

from endoalign.plots.by_system import Measured, by_system
from endoalign.plots.metric_text import NOT_KNOWN, figure_name, interval_text
from endoalign.plots.paper_values import paper_figures

FIGURES: Final = (
    ("global/mean", "recall@1"),
    ("intra_case/mean", "recall@1"),
    ("global/mean", "median_rank"),
    ("frames", "auroc"),
)

_SYSTEMS: Final = (
    "EndoCLIP",
    "EndoCLIP-III",
    "EndoCLIP-II",
    "EndoCLIP-I",
    "naive",
    "oracle",
    "PMC-CLIP",
    "random-init",
    "chance",
)


def retrieval_table(
    results: pd.DataFrame,
    *,
    figures: Sequence[tuple[str, str]] = FIGURES,
    why: str | Mapping[tuple[str, str], str] = "",
) -> pd.DataFrame:
    """Table of the paper's figures and ours, "value (low–high)" in each field.

    Args:
        results: rows with the columns of `endoalign.results.COLUMNS`; one row a system and
            figure. None of a figure shows a dash.
        figures: (protocol, metric) in order of the table.
        why: why they differ, one line for all or (protocol, metric) -> line; left out if empty.

    Returns:
        Index (figure, system); columns ``paper``, ``source`` in it, ``here`` and, where
        given, ``why they differ``. Systems known to neither side are left out.

    Raises:
        ValueError: a column is missing, or a figure is given twice.
    """
    others = [s for s in results["system"].unique() if s not in _SYSTEMS and "−" not in s]
    rows: list[tuple[str, ...]] = []
    for protocol, metric in figures:
        here, there = by_system(results, protocol, metric), _printed(protocol, metric)
        reason = why if isinstance(why, str) else why.get((protocol, metric), "")
        for system in (*_SYSTEMS, *others):
            if system in here or system in there:
                printed, source = there.get(system, (NOT_KNOWN, ""))
                ours = _text(metric, here[system]) if system in here else NOT_KNOWN
                name = figure_name(protocol, metric)
                rows.append((name, system, printed, source, ours, reason))
    columns = ["figure", "system", "paper", "source", "here", "why they differ"]
    table = pd.DataFrame(rows, columns=columns).set_index(["figure", "system"])
    return table if why else table.drop(columns="why they differ")


def _printed(protocol: str, metric: str) -> dict[str, tuple[str, str]]:
    """System -> how the paper prints its figure, and where it does."""
    paper = paper_figures()
    chosen = paper[(paper["protocol"] == protocol) & (paper["metric"] == metric)]
    return {
        system: (shown or _text(metric, measured), source)
        for (system, measured), shown, source in zip(
            by_system(paper, protocol, metric).items(),
            chosen["shown"],
            chosen["source"],
            strict=True,
        )
    }


def _text(metric: str, measured: Measured) -> str:
    return interval_text(metric, *measured)
