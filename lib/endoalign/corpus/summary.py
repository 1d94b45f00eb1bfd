"""The quantities by which EndoCLIP (section 4.3) describes its corpus, of a corpus at hand."""

from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class CorpusSummary:
    """Counts and shares; a quantity that the corpus does not have is NaN.

    ``positive_share`` of the reports state a polyp; of those, ``single_share`` state one and
    ``sized_share`` state a size. ``size_quartiles`` (P25, P50, P75) are in cm, over findings.
    ``curated_share`` of the reports are polyp-positive and eligible.
    """

    reports: int
    frames_per_case: float
    positive_share: float
    single_share: float
    sized_share: float
    size_quartiles: tuple[float, float, float]
    curated_share: float


def summarise(cases: pd.DataFrame, frames: pd.DataFrame, findings: pd.DataFrame) -> CorpusSummary:
    """Summarise the tables of a curated corpus (`endoalign.corpus.schemas`)."""
    reports = int((cases["report_text"].str.strip() != "").sum())
    lesions = findings[(findings["kind"] == "lesion") & ~findings["negated"]]
    a_case = lesions.assign(count=lesions["count"].astype(float).fillna(2.0))
    stated = a_case.groupby("case_id").agg(lesions=("count", "sum"), size=("size_cm", "max"))
    sizes = lesions["size_cm"].dropna().to_numpy(dtype=float)
    quartiles = np.percentile(sizes, [25, 50, 75]) if sizes.size else np.full(3, np.nan)
    eligible = cases.loc[cases["eligible"].fillna(False).astype(bool), "case_id"]
    per_case = frames.groupby("case_id").size()
    return CorpusSummary(
        reports=reports,
        frames_per_case=float(per_case.median()),
        positive_share=_share(len(stated), reports),
        single_share=_share(int((stated["lesions"] <= 1).sum()), len(stated)),
        sized_share=_share(int(stated["size"].notna().sum()), len(stated)),
        size_quartiles=(float(quartiles[0]), float(quartiles[1]), float(quartiles[2])),
        curated_share=_share(int(eligible.isin(stated.index).sum()), reports),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
