"""Accuracy of matches of several ways of matching, over shared resamples of the cases."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from endoalign.evaluation.bootstrap import Estimate, ratio, whole_and_resamples
from endoalign.evaluation.known_links import KnownLinks


def match_accuracies(
    tables: Mapping[str, pd.DataFrame], links: KnownLinks, *, resamples: int, seed: int
) -> dict[str, Estimate]:
    """Share of judged pairs whose frame shows their finding, for each table of pairs.

    All tables are resampled by the same draws of the cases that any of them holds, so that the
    estimates can be compared (`comparison.difference_rows`).

    Args:
        tables: system -> ``finding_id``, ``case_id``, ``frame_id``, a row a kept match.
        links: known links; findings that are not judged are left out.

    Raises:
        ValueError: no table holds a judged pair.
    """
    judged = {system: links.judged_rows(table) for system, table in tables.items()}
    cases = sorted(set().union(*(table["case_id"] for table in judged.values())))
    if not cases:
        raise ValueError("no pair of any system is judged: there is nothing to compare")
    drawn = whole_and_resamples(len(cases), resamples=resamples, seed=seed)
    weights = drawn.astype(np.float64)
    place = pd.Index(cases)
    found = {}
    for system, table in judged.items():
        rows = place.get_indexer(table["case_id"])
        right = links.right(table).to_numpy(dtype=np.float64)
        part = np.bincount(rows, weights=right, minlength=len(cases))
        whole = np.bincount(rows, minlength=len(cases)).astype(np.float64)
        found[system] = Estimate.from_whole(ratio(weights @ part, weights @ whole))
    return found
