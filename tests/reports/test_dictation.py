"""The parser against invented notes in many manners of dictation.

``dictation/*.yaml`` holds texts with their findings marked: ``[lesion:rectum|a polyp in the
rectum]`` is a lesion in the rectum, ``[no lesion|…]`` denies one; several regions are all
acceptable ones, none means that none is stated. Line breaks inside a paragraph are blanks.
"""

import re
from pathlib import Path

import pytest
import yaml

from endoalign.evaluation.extraction import FindingRecord, match_findings
from endoalign.reports import parse_report
from endoalign.vocabulary import FINDING_KINDS, REGIONS

FOLDER = Path(__file__).parent / "dictation"
SETS = (
    "lower_narrative",
    "lower_templates",
    "lower_reserved",
    "transcribed",
    "second_round",
    "third_round",
    "fourth_round",
    "fifth_round",
    "sixth_round",
    "upper",
)
PRECISION, RECALL, REGION = 0.90, 0.88, 0.90
MARK = re.compile(r"\[(no\s+)?([a-z]+)(?::([a-z_,]+))?\|([^\]]*)\]")


def unmark(marked):
    """Return the text without its marks, and the findings that they name."""
    text, findings, at = "", [], 0
    for mark in MARK.finditer(marked):
        text += marked[at : mark.start()]
        regions = tuple(mark[3].split(",")) if mark[3] else ()
        assert mark[2] in FINDING_KINDS, mark[2]
        assert set(regions) <= set(REGIONS), regions
        end = len(text) + len(mark[4])
        findings.append(FindingRecord(len(text), end, mark[2], regions, negated=bool(mark[1])))
        text += mark[4]
        at = mark.end()
    return text + marked[at:], findings


def notes_of(name):
    notes = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    return {key: unmark(marked) for key, marked in notes.items()}


def read(text):
    return [
        FindingRecord(f.start, f.end, f.kind, f.regions[:1], negated=f.negated.value)
        for f in parse_report(text).findings
    ]


def test_marks():
    text, [a, b] = unmark("Saw [lesion:rectum,ileocecal|a polyp], [no other|no ulcer].")
    assert text == "Saw a polyp, no ulcer."
    assert a == FindingRecord(4, 11, "lesion", ("rectum", "ileocecal"))
    assert b == FindingRecord(13, 21, "other", negated=True)


@pytest.mark.parametrize("name", SETS)
def test_findings_and_their_regions(name):
    matched = predicted = true = right = placed = 0
    for text, labels in notes_of(name).values():
        found = read(text)
        pairs = match_findings(found, labels)
        matched, predicted, true = matched + len(pairs), predicted + len(found), true + len(labels)
        stated = [(found[i], labels[j]) for i, j in pairs if labels[j].regions]
        placed += len(stated)
        right += sum(bool(f.regions) and f.regions[0] in t.regions for f, t in stated)
    figures = {
        "precision": matched / predicted,
        "recall": matched / true,
        "region": right / placed,
    }
    assert figures["precision"] >= PRECISION, figures
    assert figures["recall"] >= RECALL, figures
    assert figures["region"] >= REGION, figures


@pytest.mark.parametrize("key", sorted(notes_of("no_examinations")))
def test_texts_that_report_no_examination(key):
    text, _ = notes_of("no_examinations")[key]
    assert parse_report(text).exam.kind is None
    assert read(text) == []
