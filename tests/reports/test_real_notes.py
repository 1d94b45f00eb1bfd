"""The parser against hand labels of real notes; the notes themselves are not in the repository."""

import json
import os
from pathlib import Path

import pandas as pd
import pytest

from endoalign.corpus.labels import load_labels
from endoalign.evaluation.curation import records_of
from endoalign.evaluation.labelled_notes import measure_notes
from endoalign.reports import finding_rows, parse_report

LABELS = Path(__file__).parent / "labels"

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def texts():
    root = os.environ.get("ENDOALIGN_REAL_DATA")
    if not root:
        pytest.skip("ENDOALIGN_REAL_DATA is not set: no real notes to read")
    path = Path(root) / "reports" / "mtsamples_endoscopy.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    return {note["name"]: note["text"] for note in map(json.loads, lines)}


def labelled(organ, *parts):
    notes = load_labels(LABELS / f"{organ}_findings.json").notes
    return [note for note in notes if note.part in parts]


# Held-out notes were never seen by the parser's authors. Their precision was measured at 0.85
# (95 % interval 0.69 to 1.00, 14 notes), below the 0.90 that is asked of all notes together: the
# lower floor guards what was reached.
@pytest.mark.parametrize(
    ("organ", "parts", "precision"),
    [
        ("lower_gi", ("dev", "heldout"), 0.90),
        ("lower_gi", ("heldout",), 0.80),
        ("upper_gi", ("dev",), 0.90),
    ],
)
def test_findings_and_their_sites(organ, parts, precision, texts):
    notes = labelled(organ, *parts)
    rows = [row for n in notes for row in finding_rows(n.name, parse_report(texts[n.name]))]
    read = records_of(pd.DataFrame(rows))
    figures = {
        (figure.field, figure.metric): figure.value
        for figure in measure_notes(read, notes, resamples=100, seed=0)
    }
    assert figures["finding", "precision"] >= precision
    assert figures["finding", "recall"] >= 0.85
    assert figures["site", "accuracy"] >= 0.90


@pytest.mark.parametrize(("organ", "part"), [("lower_gi", "dev"), ("upper_gi", "dev")])
def test_examinations_are_told_from_other_texts(organ, part, texts):
    for note in labelled(organ, part):
        report = parse_report(texts[note.name])
        assert (report.exam.kind is not None) == note.examination, note.name
        assert note.examination or not report.findings
