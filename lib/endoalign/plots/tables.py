"""Tables for reading: figures with their intervals, and the paper's figures beside ours."""

import math
from collections.abc import Iterable

import pandas as pd


def with_intervals(results: pd.DataFrame, *, index: list[str], digits: int = 3) -> pd.DataFrame:
    """Results as a table to read: one column a metric, "value (low-high)" in each field.

    Args:
        results: rows with the columns of `endoalign.results.COLUMNS`.
        index: columns that name a row of the table, such as ``["system", "protocol"]``.
        digits: digits after the point.
    """
    shown = results.assign(
        shown=[
            _figure(value, low, high, digits)
            for value, low, high in results[["value", "ci_low", "ci_high"]].itertuples(index=False)
        ]
    )
    table = shown.set_index([*index, "metric"])["shown"].unstack()
    rows = pd.MultiIndex.from_frame(results[index]) if len(index) > 1 else results[index[0]]
    return table.loc[rows.unique(), results["metric"].unique()].rename_axis(columns=None)


def _figure(value: float, low: float, high: float, digits: int) -> str:
    if math.isnan(value):
        return "–"
    text = f"{value:.{digits}f}"
    return text if math.isnan(low) else f"{text} ({low:.{digits}f}–{high:.{digits}f})"


def paper_and_here(rows: Iterable[tuple[str, str, str, str]]) -> pd.DataFrame:
    """Table of (quantity, in the paper, here, why they differ)."""
    columns = ["quantity", "paper", "here", "why they differ"]
    return pd.DataFrame(rows, columns=columns).set_index("quantity")
