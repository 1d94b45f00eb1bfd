import re
from pathlib import Path

import pytest
import yaml

from endoalign.reports.triplets import (
    ReportInput,
    Triplet,
    TripletSettings,
    compare_engines,
    extract_triplets,
)
from endoalign.reports.triplets.rules import read_by_rules
from endoalign.world.cases import sample_cases
from endoalign.world.upper.cases import sample_upper_cases
from endoalign.world.writer.report import write_report
from endoalign.world.writer.upper import write_upper_report

MARKED = re.compile(r"⟦([a-z_+]+)\|([01])\|([^⟧]*)⟧")


def unmark(marked):
    """Plain text and the triplets that its marks stand for."""
    text, at, triplets = "", 0, []
    for mark in MARKED.finditer(marked):
        text += marked[at : mark.start()]
        start, at = len(text), mark.end()
        text += mark[3]
        triplets += [
            Triplet(mark[3], r, int(mark[2]), start, len(text)) for r in mark[1].split("+")
        ]
    return text + marked[at:], triplets


def measured(reports):
    """The figures of the rules on ``(language, text, triplets)``, by field."""
    inputs = [ReportInput(str(k), text, None, lang) for k, (lang, text, _) in enumerate(reports)]
    true = {str(k): known for k, (_, _, known) in enumerate(reports)}
    table = compare_engines([extract_triplets(inputs, TripletSettings())], true)
    return table.set_index("field")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_upper_reports(language):
    path = Path(__file__).with_name("upper_reports.yaml")
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    reports = [(language, *unmark(e["text"])) for e in entries if e["language"] == language]
    table = measured(reports)
    assert table.loc["region and status", "tp"] > 30
    assert table.loc["region and status", "f1"] >= 0.95, table


COLON = (sample_cases, write_report)
UPPER = (sample_upper_cases, write_upper_report)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("sample", "write"), [COLON, UPPER], ids=["colon", "upper"])
def test_examinations_of_the_world(sample, write, language):
    reports = []
    for case in sample(80, 60, seed=20270, language=language):
        written = write(case)
        known = [
            Triplet(written.text[f.start : f.end], f.region, f.status, f.start, f.end)
            for f in written.findings
            if f.region is not None
        ]
        reports.append((language, written.text, known))
    table = measured(reports)
    assert table.loc["region and status", "tp"] > 300
    assert table.loc["region and status", "f1"] >= 0.95, table


def triplets(text, exam_type=None):
    return [
        (t.proposition, t.region, t.status)
        for t in read_by_rules(ReportInput("x", text, exam_type)).triplets
    ]


def test_a_heading_is_put_before_its_statement():
    found = triplets("Gastroscopy.\nAntrum: multiple erosions.\nBody: normal.\n")
    assert found == [("Antrum: erosions", "antrum", 1), ("Body: normal", "body", 0)]


def test_several_regions_make_several_triplets():
    found = triplets("Colonoscopy. The descending and sigmoid colon were normal.")
    assert [(region, status) for _, region, status in found] == [
        ("descending_colon", 0),
        ("sigmoid_colon", 0),
    ]


def test_one_lesion_lies_in_one_region():
    found = triplets("Colonoscopy. A 5 mm polyp at the rectosigmoid junction.")
    assert [(region, status) for _, region, status in found] == [("sigmoid_colon", 1)]


def test_the_dentate_line_of_a_gastroscopy_is_no_rectum():
    found = triplets("胃镜检查：食管：黏膜见糜烂，齿状线清晰。")
    assert [(region, status) for _, region, status in found] == [("esophagus", 1)]
    found = triplets("肠镜检查：齿状线见息肉。")
    assert [(region, status) for _, region, status in found] == [("rectum", 1)]


def test_the_rest_of_a_region_is_another_statement():
    read = read_by_rules(ReportInput("x", "胃镜检查：胃窦：见一处溃疡，余黏膜充血。"))
    assert [(t.region, t.status) for t in read.triplets] == [("antrum", 1)]
    assert "余" not in read.triplets[0].proposition


def test_statements_of_no_region_are_counted():
    read = read_by_rules(ReportInput("x", "Colonoscopy. No polyps were seen."))
    assert (read.triplets, read.unplaced, read.outcome) == ((), 1, "accepted")


def test_regions_of_another_examination_are_left_out():
    text = "Gastroscopy. The antrum was normal. The cecum was normal."
    assert [region for _, region, _ in triplets(text, "gastroscopy")] == ["antrum"]
    assert [region for _, region, _ in triplets(text, "colonscopy")] == ["ileocecal"]


@pytest.mark.parametrize("text", ["", "Dear colleague, thank you.", "胡言乱语"])
def test_no_examination(text):
    read = read_by_rules(ReportInput("x", text))
    assert (read.outcome, read.triplets, read.exam_type) == ("no examination", (), None)
    assert read.note


def test_unknown_examination():
    with pytest.raises(ValueError, match="unknown examination 'ent'"):
        read_by_rules(ReportInput("x", "The antrum was normal.", "ent"))


def test_spans_bear_the_proposition_out():
    text = "Gastroscopy. A 4 mm polyp was seen in the body. The antrum was normal."
    for t in read_by_rules(ReportInput("x", text)).triplets:
        assert text[t.start : t.end] == t.proposition


def test_a_case_may_appear_once():
    twice = [ReportInput("a", "x"), ReportInput("a", "y")]
    with pytest.raises(ValueError, match="case_id 'a'"):
        extract_triplets(twice, TripletSettings())
    assert extract_triplets([], TripletSettings()).counts()["reports"] == 0
