"""Tables 1 to 5 of the ENT-CLIP paper beside ours (`paper_ent.yaml`)."""

from functools import cache
from pathlib import Path
from typing import Any, Final

import pandas as pd
import yaml

from endoalign.plots.columns import require_columns

_FILE: Final = Path(__file__).with_name("paper_ent.yaml")
_COLUMNS: Final = ("table", "system", "task", "protocol", "metric", "value", "remark")
_KEY: Final = ["system", "task", "metric"]
PUBLIC: Final = "public test"
NOT_KNOWN: Final = "–"
TABLES: Final = (1, 2, 3, 4, 5)


def ent_paper_figures() -> pd.DataFrame:
    """A row a figure: table, system, task, protocol (which test), metric, value, remark."""
    rows: list[dict[str, Any]] = _read()["figures"]
    table = pd.DataFrame(rows, columns=list(_COLUMNS))
    return table.assign(remark=table["remark"].fillna(""))


def ent_paper_table(results: pd.DataFrame, number: int, *, why: str = "") -> pd.DataFrame:
    """One table of the paper beside ours, row by row as the paper prints it.

    Args:
        results: system, task, metric, value, ci_low and ci_high; one row a figure. What the paper
            does not print is appended where its task and metric stand in the table.
        number: 1 to 5.
        why: why they differ, one line.

    Returns:
        Index (system, figure); columns ``public test`` and, where the paper prints one, ``private
        test``, then ``here``, ``remark`` and, where given, ``why they differ``.

    Raises:
        ValueError: there is no such table, a column is missing, or a figure is given twice.
    """
    if number not in TABLES:
        raise ValueError(f"table {number} is none of the paper's: {', '.join(map(str, TABLES))}")
    require_columns(results, (*_KEY, "value", "ci_low", "ci_high"), what="results")
    if results.duplicated(_KEY).any():
        twice = results[results.duplicated(_KEY)].iloc[0]
        raise ValueError(f"results: {twice['system']}, {twice['metric']} stands twice")
    paper = ent_paper_figures().query("table == @number")
    shown = paper.assign(text=[f"{value:g}" for value in paper["value"]])
    there = shown.pivot_table(
        index=_KEY, columns="protocol", values="text", aggfunc="first", sort=False
    )
    remark = paper.groupby(_KEY, sort=False)["remark"].agg(
        lambda said: "; ".join(filter(None, said))
    )
    ours = results.set_index(_KEY)
    wanted = set(zip(paper["task"], paper["metric"], strict=True))
    known = [key for key in ours.index if key[1:] in wanted and number >= 4]
    order = list(dict.fromkeys([*there.index, *known]))
    table = there.reindex(pd.MultiIndex.from_tuples(order, names=_KEY)).fillna(NOT_KNOWN)
    table["here"] = [_figure(ours, key) for key in order]
    table["remark"] = remark.reindex(table.index).fillna("")
    if why:
        table["why they differ"] = why
    table.index = pd.MultiIndex.from_tuples(
        [(system, f"{task.removeprefix('ent_')} {metric}") for system, task, metric in order],
        names=["system", "figure"],
    )
    return table.rename_axis(columns=None)


def _figure(ours: pd.DataFrame, key: tuple[str, str, str]) -> str:
    found = ours[ours.index == key]
    if found.empty:
        return NOT_KNOWN
    value, low, high = found[["value", "ci_low", "ci_high"]].to_numpy(float)[0]
    digits = 2 if key[2] == "million_parameters" else 3
    text = f"{value:.{digits}f}"
    return text if pd.isna(low) else f"{text} ({low:.3f}–{high:.3f})"


@cache
def _read() -> dict[str, Any]:
    return dict(yaml.safe_load(_FILE.read_text(encoding="utf-8")))
