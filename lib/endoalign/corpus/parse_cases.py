"""All reports of a corpus through the parser, by several processes where that pays."""

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

import pandas as pd

from endoalign.corpus.schemas import FINDINGS
from endoalign.reports import finding_rows, parse_report

CHUNK: Final = 500
"""Reports a worker parses at a time; fewer in all are parsed in this process."""


@dataclass
class ParsedCases:
    """Rows of the findings table, and why a case is not eligible (``None`` where it is)."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    reasons: dict[str, str | None] = field(default_factory=dict)

    @property
    def findings(self) -> pd.DataFrame:
        """The findings as a table (`endoalign.corpus.schemas.FINDINGS`)."""
        return pd.DataFrame(self.rows, columns=list(FINDINGS.columns))

    @property
    def excluded(self) -> set[str]:
        """Ids of the cases that their report excludes."""
        return {case_id for case_id, reason in self.reasons.items() if reason is not None}


def parse_cases(
    cases: pd.DataFrame,
    *,
    processes: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> ParsedCases:
    """Parse the report of every case; the result does not depend on ``processes``.

    Args:
        cases: table with ``case_id``, ``report_text`` and ``language`` (empty: by script).
        progress: called with (reports parsed, reports in all).
    """
    columns = cases[["case_id", "report_text", "language"]].itertuples(index=False, name=None)
    reports = list(columns)
    chunks = [reports[start : start + CHUNK] for start in range(0, len(reports), CHUNK)]
    result = ParsedCases()
    for part in _map(chunks, processes):
        result.rows += part.rows
        result.reasons |= part.reasons
        if progress is not None:
            progress(len(result.reasons), len(reports))
    return result


def _map(chunks: list[list[tuple[str, str, str]]], processes: int) -> Iterator[ParsedCases]:
    if processes == 1 or len(chunks) < 4 * processes:
        yield from map(_parse_chunk, chunks)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        yield from pool.map(_parse_chunk, chunks)


def _parse_chunk(reports: list[tuple[str, str, str]]) -> ParsedCases:
    result = ParsedCases()
    for case_id, text, language in reports:
        parsed = parse_report(text, language or None)
        result.rows += finding_rows(case_id, parsed)
        result.reasons[case_id] = parsed.eligibility.reason
    return result
