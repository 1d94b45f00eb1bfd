"""Which examinations EndoVLM trains on, and the funnel that leads there, as a table.

The paper keeps examinations whose report names all 8 upper regions or all 9 landmarks of the colon,
and leaves out those after an operation and incomplete ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import pandas as pd

from endoalign.reports.records import ParsedReport
from endoalign.reports.triplets.aliases import EXAM_REGIONS
from endoalign.reports.triplets.records import ACCEPTED, Extraction, ReportInput
from endoalign.reports.triplets.rules import exam_type_of, parse

Landmarks = Literal["all", "reached"]

STEPS: Final = (
    "reports",
    "gastroscopy or colonoscopy",
    "not after an operation",
    "complete",
    "landmarks present",
    "answer accepted",
    "with a triplet",
)
"""The steps of the funnel; without triplets the last two remove nothing."""

_REACHED: Final = {
    "gastroscopy": ("pylorus", "duodenum"),
    "colonoscopy": ("ileocecal", "terminal_ileum"),
}
"""Landmarks at the far end of an examination, one of which shows that it got there."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a case is trained on; ``failed`` is the step it did not pass, ``reason`` why."""

    case_id: str
    exam_type: str | None
    eligible: bool
    failed: str | None
    reason: str | None


def decide_cases(
    reports: Sequence[ReportInput],
    landmarks: Landmarks = "all",
    extraction: Extraction | None = None,
) -> list[Decision]:
    """Judge reports one by one, in order.

    Args:
        landmarks: ``all`` is the paper's rule, every one of 8 or 9 regions named; ``reached`` asks
            only for one at the far end, for reports without a template.
        extraction: triplets of the same reports; where given, a case needs an accepted answer with
            at least one triplet.

    Raises:
        ValueError: the extraction lacks a report; the message names it.
    """
    outcomes = {r.case_id: r for r in extraction.reports} if extraction is not None else {}
    missing = [r.case_id for r in reports if extraction is not None and r.case_id not in outcomes]
    if missing:
        raise ValueError(f"no triplets were extracted of case {missing[0]!r}")
    decisions = []
    for report in reports:
        parsed = parse(report)
        exam_type = exam_type_of(report, parsed)
        failed, reason = _first_failure(parsed, exam_type, landmarks)
        if failed is None and extraction is not None:
            read = outcomes[report.case_id]
            if read.outcome != ACCEPTED:
                failed, reason = STEPS[5], f"{read.outcome}: {read.note}"
            elif not read.triplets:
                failed, reason = STEPS[6], "no finding has a region"
        decisions.append(Decision(report.case_id, exam_type, failed is None, failed, reason))
    return decisions


def funnel(decisions: Sequence[Decision], by_exam: bool = False) -> pd.DataFrame:
    """The steps with counts: ``step, left, removed``, after ``exam_type`` where ``by_exam``.

    Args:
        by_exam: one funnel an examination; reports of neither are counted in the first two steps
            of the row group ``none``.
    """
    if not by_exam:
        return _funnel(decisions)
    kinds = [kind for kind in (*EXAM_REGIONS, None) if any(d.exam_type == kind for d in decisions)]
    tables = []
    for kind in kinds:
        table = _funnel([d for d in decisions if d.exam_type == kind])
        table.insert(0, "exam_type", kind or "none")
        tables.append(table)
    return pd.concat(tables, ignore_index=True) if tables else _funnel(decisions)


def _funnel(decisions: Sequence[Decision]) -> pd.DataFrame:
    rows, left = [], len(decisions)
    for step in STEPS:
        removed = sum(d.failed == step for d in decisions)
        left -= removed
        rows.append({"step": step, "left": left, "removed": removed})
    return pd.DataFrame(rows, columns=["step", "left", "removed"])


def _first_failure(
    parsed: ParsedReport, exam_type: str | None, landmarks: Landmarks
) -> tuple[str | None, str | None]:
    """The first step that a report fails, with the reason; two ``None`` where it passes all."""
    if exam_type is None:
        return STEPS[1], parsed.exam.reason
    reason = parsed.eligibility.reason or ""
    if reason.startswith("post-operative"):
        return STEPS[2], reason
    if reason.startswith("incomplete"):
        return STEPS[3], reason
    seen = set(parsed.eligibility.regions)
    needed = EXAM_REGIONS[exam_type] if landmarks == "all" else _REACHED[exam_type]
    missing = [region for region in needed if region not in seen]
    if missing and (landmarks == "all" or len(missing) == len(needed)):
        return STEPS[4], f"missing landmarks: {', '.join(missing)}"
    return None, None
