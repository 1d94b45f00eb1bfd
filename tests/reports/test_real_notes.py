"""The parser against hand labels of real notes; the notes themselves are not in the repository."""

import json
import os
from pathlib import Path

import pytest

from endoalign.evaluation.extraction import FindingRecord, match_findings
from endoalign.reports import parse_report

LABELS = Path(__file__).parent / "labels"
PARTS = [("lower_gi", "dev"), ("lower_gi", "heldout"), ("upper_gi", "dev")]
PRECISION, RECALL, REGION = 0.90, 0.85, 0.90

pytestmark = pytest.mark.real


def note_texts():
    root = os.environ.get("ENDOALIGN_REAL_DATA")
    if not root:
        pytest.skip("ENDOALIGN_REAL_DATA is not set: no real notes to read")
    path = Path(root) / "reports" / "mtsamples_endoscopy.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    return {note["name"]: note["text"] for note in map(json.loads, lines)}


def labelled(organ, part):
    labels = LABELS / f"{organ}_findings.json"
    notes = json.loads(labels.read_text(encoding="utf-8"))["notes"]
    return [note for note in notes if note["part"] == part]


def record(finding):
    return FindingRecord(
        start=finding["start"],
        end=finding["end"],
        kind=finding["kind"],
        regions=tuple(finding["regions"]),
        negated=finding["negated"],
    )


def read(text):
    return [
        FindingRecord(f.start, f.end, f.kind, f.regions[:1], negated=f.negated.value)
        for f in parse_report(text).findings
    ]


@pytest.mark.parametrize(("organ", "part"), PARTS)
def test_findings_and_their_regions(organ, part):
    texts = note_texts()
    matched = predicted = once = regions = right = 0
    for note in labelled(organ, part):
        labels = [record(f) for f in note["findings"]]
        # A statement that repeats another of its note is neither missed nor false.
        repeats = {j for j, f in enumerate(note["findings"]) if f.get("repeats") is not None}
        found = read(texts[note["name"]])
        pairs = match_findings(found, labels)
        matched += sum(j not in repeats for _, j in pairs)
        predicted += len(found) - sum(j in repeats for _, j in pairs)
        once += len(labels) - len(repeats)
        for i, j in pairs:
            if labels[j].regions:
                regions += 1
                right += bool(found[i].regions) and found[i].regions[0] in labels[j].regions
    assert once > 10
    figures = {
        "precision": matched / predicted,
        "recall": matched / once,
        "region": right / regions,
    }
    assert figures["precision"] >= PRECISION, figures
    assert figures["recall"] >= RECALL, figures
    assert figures["region"] >= REGION, figures


@pytest.mark.parametrize(("organ", "part"), PARTS)
def test_what_is_no_examination_is_left_out_with_a_reason(organ, part):
    texts = note_texts()
    notes = labelled(organ, part)
    wrong = [
        (note["name"], parse_report(texts[note["name"]]).exam)
        for note in notes
        if (parse_report(texts[note["name"]]).exam.kind is not None) != note["examination"]
    ]
    assert len(wrong) <= len(notes) // 10, wrong
