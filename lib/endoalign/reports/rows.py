"""Parsed reports as rows of the ``findings`` table (columns in ``docs/architecture.md``)."""

from bisect import bisect_right
from typing import Any

from endoalign.reports.records import Finding, ParsedReport


def finding_rows(case_id: str, report: ParsedReport) -> list[dict[str, Any]]:
    """Return one row a finding of a case, in order of position; ``finding_id`` is ``case_id#k``."""
    return [_row(case_id, k, finding, report) for k, finding in enumerate(report.findings)]


def _row(case_id: str, k: int, finding: Finding, report: ParsedReport) -> dict[str, Any]:
    return {
        "finding_id": f"{case_id}#{k}",
        "case_id": case_id,
        "sentence": _sentence_of(finding, report),
        "start": finding.start,
        "end": finding.end,
        "kind": finding.kind,
        "site": finding.site.value if finding.site else None,
        "region": finding.region,
        "status": finding.status,
        "count": finding.count.value if finding.count else None,
        "size_cm": finding.size_cm.value if finding.size_cm else None,
        "paris": finding.paris.value if finding.paris else None,
        "descriptors": [value.value for value in finding.descriptors],
        "negated": finding.negated.value,
    }


def _sentence_of(finding: Finding, report: ParsedReport) -> str:
    """The sentence a finding stands in, with the next ones where it runs on."""
    starts = [span.start for span in report.sentences]
    first = max(bisect_right(starts, finding.start) - 1, 0)
    last = max(bisect_right(starts, max(finding.end - 1, finding.start)) - 1, first)
    if not starts:
        return report.text[finding.start : finding.end]
    return report.text[report.sentences[first].start : report.sentences[last].end]
