"""What every figure does with its input: columns that must be there, and axes with nothing."""

from collections.abc import Iterable

import pandas as pd
from matplotlib.axes import Axes

from endoalign.plots.style import MUTED


def require_columns(table: pd.DataFrame, needed: Iterable[str], *, what: str) -> None:
    """Check that a table has the columns that a figure reads.

    Args:
        what: the table's role, for the error.

    Raises:
        ValueError: a column is missing; names it and the columns there are.
    """
    if missing := [name for name in needed if name not in table.columns]:
        raise ValueError(f"{what} lacks the column {missing[0]!r}; it has {list(table.columns)}")


def say_nothing_to_show(axes: Axes, text: str) -> None:
    """Leave axes empty but for a line that says why."""
    axes.text(0.5, 0.5, text, ha="center", va="center", transform=axes.transAxes, color=MUTED)
    axes.set_axis_off()
