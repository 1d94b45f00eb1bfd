"""Curation against known findings, as a table to read."""

import pandas as pd

from endoalign.plots.tables import with_intervals

ROWS = ["protocol", "note"]


def curation_table(results: pd.DataFrame) -> pd.DataFrame:
    """Precision, recall and F1 a protocol and field, with the F1 that chance reaches.

    Args:
        results: rows with the columns of `endoalign.results.COLUMNS`; those of another task or of
            a protocol without a chance row are left out. None left gives an empty table.
    """
    measured = results[results["task"] == "curation"]
    chance = measured[(measured["system"] == "chance") & (measured["metric"] == "f1")]
    rules = measured[
        (measured["system"] == "rules") & measured["protocol"].isin(chance["protocol"])
    ]
    if rules.empty:
        return pd.DataFrame(columns=["precision", "recall", "f1", "f1 by chance"])
    table = with_intervals(rules, index=ROWS)
    table["f1 by chance"] = with_intervals(chance, index=ROWS)["f1"]
    return table.rename_axis(index=["protocol", "field"])
