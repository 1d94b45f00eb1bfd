"""A report with everything the parser read from it marked in its text."""

from collections.abc import Iterator
from typing import Any

from endoalign.plots.highlighted_report import Mark, highlighted_report
from endoalign.reports import Finding, Value, parse_report


def show_report(text: str) -> str:
    """HTML of the report: findings coloured by kind, values underlined with what was read."""
    findings = parse_report(text).findings
    stretches = [Mark(f.start, f.end, _title(f), _kind(f)) for f in findings]
    return highlighted_report(text, stretches, [mark for f in findings for mark in _values(f)])


def _kind(finding: Finding) -> str:
    return "negated" if finding.negated.value else finding.kind


def _title(finding: Finding) -> str:
    return f"{_kind(finding)}: {finding.region or 'no region'}"


def _values(finding: Finding) -> Iterator[Mark]:
    """Marks of the values that lie inside the finding's own stretch."""
    size, site = finding.size_cm, finding.site
    values: list[tuple[Value[Any] | None, str]] = [
        (site, (finding.region or "").replace("_", " ")),
        (size, f"{size.value:g} cm" if size else ""),
        (finding.paris, finding.paris.value if finding.paris else ""),
        *((value, value.value.replace("_", " ")) for value in finding.descriptors),
    ]
    taken: list[Mark] = []
    for value, label in values:
        if value is None or not finding.start <= value.start < value.end <= finding.end:
            continue
        mark = Mark(value.start, value.end, label, "value")
        if all(mark.end <= other.start or mark.start >= other.end for other in taken):
            taken.append(mark)
            yield mark
