"""The parser against the truth of reports that the world writes; neither knows the other."""

import pytest

from endoalign.evaluation.extraction import FindingRecord, add_counts, count_report
from endoalign.reports import parse_report
from endoalign.world.cases import sample_cases
from endoalign.world.writer.report import write_report

BARS = {
    "site": 0.98,
    "size": 0.98,
    "polyp_positive": 0.98,
    "paris": 0.95,
    "descriptors": 0.95,
    "negation": 0.95,
}


def true_record(finding):
    return FindingRecord(
        start=finding.start,
        end=finding.end,
        kind=finding.kind,
        regions=(finding.region,) if finding.region else (),
        size_cm=finding.size_cm,
        paris=finding.paris,
        descriptors=frozenset(finding.descriptors),
        negated=finding.negated,
    )


def read_record(finding):
    return FindingRecord(
        start=finding.start,
        end=finding.end,
        kind=finding.kind,
        regions=finding.regions[:1],
        size_cm=finding.size_cm.value if finding.size_cm else None,
        paris=finding.paris.value if finding.paris else None,
        descriptors=frozenset(v.value for v in finding.descriptors),
        negated=finding.negated.value,
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_bars(language):
    cases = sample_cases(120, 80, seed=20260, language=language)
    counts = []
    for case in cases:
        written = write_report(case)
        read = parse_report(written.text)
        assert read.language == language
        counts.append(
            count_report(
                [read_record(f) for f in read.findings],
                [true_record(f) for f in written.findings],
            )
        )
    total = add_counts(counts)
    assert all(total[name].tp > 50 for name in BARS)
    figures = {name: total[name].f1 for name in BARS}
    assert all(figures[name] >= bar for name, bar in BARS.items()), figures


@pytest.mark.parametrize("language", ["en", "zh"])
def test_eligibility(language):
    """Reports after an operation or of an incomplete examination are told from the rest."""
    right = {True: [0, 0], False: [0, 0]}
    for case in sample_cases(150, 150, seed=20261, language=language):
        complete = case.reach in ("terminal_ileum", "ileocecal") and case.operation is None
        read = parse_report(write_report(case).text)
        right[complete][0] += read.eligibility.eligible == complete
        right[complete][1] += 1
    assert right[False][1] > 5
    assert all(count >= 0.95 * total for count, total in right.values()), right
