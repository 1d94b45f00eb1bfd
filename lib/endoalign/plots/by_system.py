"""One figure of each system, read out of a table of results."""

from typing import Final, NamedTuple

import pandas as pd

from endoalign.plots.columns import require_columns

COLUMNS: Final = ("system", "protocol", "metric", "value", "ci_low", "ci_high")


class Measured(NamedTuple):
    """A value and its 95 % interval, NaN where there is none."""

    value: float
    low: float
    high: float

    def scaled(self, factor: float) -> "Measured":
        """All three multiplied by ``factor``."""
        return Measured(factor * self.value, factor * self.low, factor * self.high)


def by_system(table: pd.DataFrame, protocol: str, metric: str) -> dict[str, Measured]:
    """System -> its figure under one protocol, in order of the rows.

    Args:
        table: rows with the columns `COLUMNS`, such as results or `paper_values.paper_figures`.

    Raises:
        ValueError: a column is missing, or a system has the figure twice (rows of several seeds
            or data sets: choose one first).
    """
    require_columns(table, COLUMNS, what="table of figures")
    rows = table[(table["protocol"] == protocol) & (table["metric"] == metric)]
    twice = rows.loc[rows["system"].duplicated(), "system"]
    if len(twice):
        raise ValueError(
            f"{metric} of {twice.iloc[0]!r} in {protocol!r} is given twice; "
            "choose the rows of one data set and seed"
        )
    numbers = rows[["value", "ci_low", "ci_high"]].to_numpy(dtype=float)
    return {
        str(system): Measured(*map(float, row))
        for system, row in zip(rows["system"], numbers, strict=True)
    }
