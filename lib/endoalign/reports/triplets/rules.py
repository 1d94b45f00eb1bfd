"""The ``rules`` engine: triplets from the findings that the curation's parser reads."""

from endoalign.reports.parser import parse_report
from endoalign.reports.records import Finding, ParsedReport
from endoalign.reports.triplets.aliases import EXAM_REGIONS, exam_named
from endoalign.reports.triplets.records import (
    NO_EXAMINATION,
    ReportInput,
    ReportTriplets,
    Triplet,
)


def read_by_rules(report: ReportInput) -> ReportTriplets:
    """Triplets of one report: one for each region that a finding names, for one lesion the first.

    Findings of the whole organ, of no place or of another organ make none and count as unplaced.

    Raises:
        ValueError: the report's ``exam_type`` is neither a gastroscopy nor a colonoscopy.
    """
    parsed = parse(report)
    exam_type = exam_type_of(report, parsed)
    if exam_type is None:
        return ReportTriplets(report.case_id, None, outcome=NO_EXAMINATION, note=parsed.exam.reason)
    triplets: list[Triplet] = []
    unplaced = 0
    for finding in parsed.findings:
        regions = _regions(finding, exam_type)
        unplaced += not regions
        proposition = _proposition(finding, parsed.text)
        triplets += [
            Triplet(proposition, region, finding.status, finding.start, finding.end)
            for region in regions
        ]
    return ReportTriplets(report.case_id, exam_type, tuple(triplets), unplaced=unplaced)


def parse(report: ReportInput) -> ParsedReport:
    """Read a report in its language, as given or as its script tells."""
    return parse_report(report.text, report.language)


def exam_type_of(report: ReportInput, parsed: ParsedReport) -> str | None:
    """The examination as given, else as the text tells it; ``None`` if neither of the two."""
    if report.exam_type is not None:
        return exam_named(report.exam_type)
    return parsed.exam.kind if parsed.exam.kind in EXAM_REGIONS else None


def _regions(finding: Finding, exam_type: str) -> list[str]:
    """The examination's regions that a finding tells of; a single lesion lies in one of them."""
    regions = [region for region in finding.regions if region in EXAM_REGIONS[exam_type]]
    is_single = finding.kind == "lesion" and finding.status == 1 and finding.count is None
    return regions[:1] if is_single or (finding.count and finding.count.value == 1) else regions


def _proposition(finding: Finding, text: str) -> str:
    """The statement with its site: under the heading "Antrum:" it says only "mucosa smooth"."""
    statement = " ".join(text[finding.start : finding.end].split())
    site = finding.site
    if site is None or (finding.start <= site.start and site.end <= finding.end):
        return statement
    return f"{' '.join(site.value.split())}: {statement}"
