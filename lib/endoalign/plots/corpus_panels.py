"""What a corpus holds: the panels c to g of EndoCLIP's Fig. 1."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from endoalign.plots.distribution import distribution
from endoalign.plots.ranked_bars import ranked_bars
from endoalign.plots.style import FULL_WIDTH, PALETTE, panel_letter

LONGEST_SIZE_CM = 3.0
"""Sizes above are drawn at the right edge; the polyps of routine reports are rarely larger."""


def corpus_panels(
    cases: pd.DataFrame, frames: pd.DataFrame, findings: pd.DataFrame, positive: set[str]
) -> Figure:
    """Draw sites, descriptors, sizes, lengths of texts and frames a case.

    Args:
        cases: table of cases (schema in `endoalign.corpus.schemas`).
        frames: table of frames.
        findings: table of findings.
        positive: ids of the polyp-positive cases, the 100 % of panels c and d.
    """
    lesions = findings[(findings["kind"] == "lesion") & ~findings["negated"]]
    figure, grid = plt.subplot_mosaic(
        [["c", "d", "d"], ["c", "d", "d"], ["e", "f", "g"]], figsize=(FULL_WIDTH, 7.2)
    )
    ranked_bars(_cases_with(lesions, "region"), len(positive), grid["c"], xlabel="% of reports")
    ranked_bars(
        _cases_with(lesions.explode("descriptors"), "descriptors"),
        len(positive),
        grid["d"],
        xlabel="% of reports",
        colour=PALETTE[2],
    )
    tenths = np.arange(0.05, LONGEST_SIZE_CM + 0.1, 0.1).tolist()
    sizes = lesions["size_cm"].clip(upper=LONGEST_SIZE_CM)
    distribution(sizes, grid["e"], xlabel="size (cm)", bins=tenths)
    words = findings["sentence"].map(count_words)
    distribution(words, grid["f"], xlabel="words a finding sentence", colour=PALETTE[3])
    per_case = frames.groupby("case_id").size()
    whole = np.arange(0.5, per_case.max() + 1.5).tolist() if len(per_case) else 1
    distribution(per_case, grid["g"], xlabel="frames a case", colour=PALETTE[4], bins=whole)
    titles = {"c": "Sites", "d": "Descriptors", "e": "Sizes", "f": "Sentences", "g": "Frames"}
    for letter, axes in grid.items():
        axes.set_title(titles[letter], pad=12)
        panel_letter(axes, letter)
    return figure


def count_words(text: str) -> int:
    """Number of words; each Chinese character counts as one."""
    chinese = sum("\u4e00" <= character <= "\u9fff" for character in text)
    return chinese + len([word for word in text.split() if word.isascii()])


def _cases_with(findings: pd.DataFrame, column: str) -> dict[str, int]:
    """Value of ``column`` -> number of cases in which a finding has it."""
    stated = findings.dropna(subset=[column])
    return {str(k): int(v) for k, v in stated.groupby(column)["case_id"].nunique().items()}
