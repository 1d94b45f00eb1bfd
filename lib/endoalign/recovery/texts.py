"""The text of a lesion that a frame is matched to."""

from collections.abc import Hashable, Mapping
from typing import Any, Literal, get_args

import pandas as pd

from endoalign.corpus.validation import CorpusError

LesionText = Literal["sentence", "statement"]
"""``sentence``: the whole sentence of the report, as in the paper. ``statement``: only what the
sentence says of this lesion, behind the name of its region. A sentence often states two lesions, or
leaves the region to a heading above it; then the sentence alone does not tell the lesion."""


def lesion_texts(lesions: pd.DataFrame, cases: pd.DataFrame, how: LesionText) -> pd.Series:
    """Return the text of each lesion finding, on the index of ``lesions``.

    Of a report in another language than English the region stands in the report's own words.

    Args:
        lesions: findings of kind ``lesion`` (`endoalign.corpus.schemas.FINDINGS`).
        cases: table of cases, with ``report_text`` and ``language``.

    Raises:
        CorpusError: ``how`` is unknown, or a case is missing.
    """
    if how not in get_args(LesionText):
        raise CorpusError(f"no lesion text {how!r}; known: {', '.join(get_args(LesionText))}")
    if how == "sentence":
        return lesions["sentence"].copy()
    of_case = cases.set_index("case_id")[["report_text", "language"]]
    missing = lesions.loc[~lesions["case_id"].isin(of_case.index), "case_id"]
    if len(missing):
        raise CorpusError(f"findings name case {missing.iloc[0]!r}, which cases does not hold")
    shared = lesions.duplicated(["case_id", "sentence"], keep=False)
    texts = []
    for finding, of_several in zip(lesions.to_dict("records"), shared, strict=True):
        report, language = of_case.loc[finding["case_id"]]
        said = report[finding["start"] : finding["end"]] if of_several else finding["sentence"]
        place = _place(finding, language)
        texts.append(f"{place}: {said}" if place else said)
    return pd.Series(texts, index=lesions.index, dtype=object)


def _place(finding: Mapping[Hashable, Any], language: str) -> str | None:
    """Name of the region, or the report's own words for it; None where it tells none."""
    words = finding["region"] if language == "en" else finding["site"]
    if not isinstance(words, str) or not words:
        return None
    if language != "en" and words in str(finding["sentence"]):
        return None
    return words.replace("_", " ").capitalize()
