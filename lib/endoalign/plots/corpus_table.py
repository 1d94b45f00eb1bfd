"""A corpus beside the one of the EndoCLIP paper (section 4.3)."""

import math

import pandas as pd

from endoalign.corpus.summary import CorpusSummary
from endoalign.plots.tables import paper_and_here


def corpus_beside_paper(here: CorpusSummary, why: str) -> pd.DataFrame:
    """Table of the paper's quantities and those of the corpus at hand.

    Args:
        here: the corpus at hand.
        why: why they differ, in a few words.
    """
    low, median, high = here.size_quartiles
    sizes = "–" if math.isnan(median) else f"{median:.1f} ({low:.1f}–{high:.1f})"
    rows = [
        ("reports", "280,476", f"{here.reports:,}"),
        ("frames a case, median", "65", _number(here.frames_per_case)),
        ("polyp-positive, of the reports", "44.2 %", _percent(here.positive_share)),
        ("one polyp, of the positive", "56.2 %", _percent(here.single_share)),
        ("size stated, of the positive", "93 %", _percent(here.sized_share)),
        ("size, median (quartiles), cm", "0.6 (0.4–0.8)", sizes),
        ("curated, of the reports", "37.3 %", _percent(here.curated_share)),
    ]
    return paper_and_here([(*row, why) for row in rows])


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:g}"


def _percent(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.1%}".replace("%", " %")
