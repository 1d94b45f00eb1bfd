"""The one way to triplets: reports in, what an engine reads out of them."""

from collections import Counter
from collections.abc import Sequence
from importlib import import_module

import pandas as pd

from endoalign.reports.triplets.records import Extraction, ReportInput
from endoalign.reports.triplets.rules import read_by_rules
from endoalign.reports.triplets.settings import TripletSettings


def extract_triplets(reports: Sequence[ReportInput], settings: TripletSettings) -> Extraction:
    """Read triplets (s, a, h) out of reports (EndoVLM, section 2.1).

    Returns:
        One `ReportTriplets` a report, in order, by the engine that the settings name.

    Raises:
        ValueError: a case appears twice, an ``exam_type`` is unknown, or the model cannot be had.
    """
    twice = [case for case, n in Counter(r.case_id for r in reports).items() if n > 1]
    if twice:
        raise ValueError(f"case_id {twice[0]!r} names {len(twice)} or more reports, not one")
    if settings.engine == "rules":
        return Extraction("rules", tuple(map(read_by_rules, reports)))
    # Loaded only now: what runs a model takes seconds to import.
    llm = import_module("endoalign.reports.triplets.llm")
    return Extraction("llm", tuple(llm.read_by_model(reports, settings)))


def inputs_of(cases: pd.DataFrame) -> list[ReportInput]:
    """Reports of a table of cases (``case_id, report_text``, and where there ``language``).

    The examination is taken from ``exam_type`` where that is a gastroscopy or a colonoscopy, and
    told from the text elsewhere.

    Raises:
        ValueError: a column is missing.
    """
    missing = [name for name in ("case_id", "report_text") if name not in cases.columns]
    if missing:
        raise ValueError(f"the table of cases lacks {', '.join(missing)}")
    return [
        ReportInput(
            str(row["case_id"]),
            str(row["report_text"]),
            _one_of(row.get("exam_type"), ("gastroscopy", "colonoscopy")),
            _one_of(row.get("language"), ("en", "zh")),
        )
        for row in cases.to_dict("records")
    ]


def _one_of(value: object, known: tuple[str, ...]) -> str | None:
    return value if isinstance(value, str) and value in known else None
