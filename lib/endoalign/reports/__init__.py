"""Reports read by rules: sentences, negation, sites, sizes, descriptors, findings, eligibility."""

from endoalign.reports.parser import ReportParser, parse_report
from endoalign.reports.records import Eligibility, Exam, Finding, ParsedReport, Span, Value
from endoalign.reports.rows import finding_rows

__all__ = [
    "Eligibility",
    "Exam",
    "Finding",
    "ParsedReport",
    "ReportParser",
    "Span",
    "Value",
    "finding_rows",
    "parse_report",
]
