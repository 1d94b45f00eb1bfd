import pytest

from endoalign.corpus.labels import LabelledFinding, LabelledNote
from endoalign.evaluation.extraction import FindingRecord
from endoalign.evaluation.labelled_notes import measure_notes


def label(start, *, regions=(), repeats=None, kind="lesion"):
    return LabelledFinding(
        start=start,
        end=start + 10,
        kind=kind,
        negated=False,
        count=1,
        size_cm=None,
        site_start=None,
        site_end=None,
        regions=list(regions),
        paris=None,
        descriptors=[],
        repeats=repeats,
    )


def note(name, *findings):
    return LabelledNote(
        name=name, examination=bool(findings), why_not=None, part="dev", findings=list(findings)
    )


def read(start, *regions, kind="lesion"):
    return FindingRecord(start=start, end=start + 10, kind=kind, regions=regions)


NOTES = [
    note("a", label(0, regions=["rectum", "sigmoid_colon"]), label(50), label(100, repeats=0)),
    note("b", label(0, regions=["rectum"]), label(30, regions=["rectum"])),
    note("no examination"),
]
READ = {
    "a": [read(2, "sigmoid_colon"), read(101, "rectum"), read(300)],  # right, a repetition, false
    "b": [read(0, "ileocecal"), read(30)],  # wrong site, no site
    "no examination": [read(5)],
}


def test_counts_by_hand():
    found = measure_notes(READ, NOTES, resamples=200, seed=0)
    figures = {(f.field, f.metric): f for f in found}
    assert figures["finding", "precision"].value == pytest.approx(3 / 5)
    assert figures["finding", "recall"].value == pytest.approx(3 / 4)
    assert figures["site", "accuracy"].value == pytest.approx(1 / 3)
    assert figures["site", "accuracy"].n == 3
    for figure in found:
        assert figure.interval[0] <= figure.value <= figure.interval[1]


def test_a_note_that_was_not_read_is_all_missed():
    figures = {
        (f.field, f.metric): f.value for f in measure_notes({}, NOTES, resamples=100, seed=0)
    }
    assert figures["finding", "recall"] == 0.0
