import json

import pytest
import yaml

from endoalign.reports.triplets.schema import PROMPTS, finished_part, json_schema, read_answer
from endoalign.vocabulary import COLON_REGIONS, REGIONS, UPPER_REGIONS


def answer(*findings):
    names = ("proposition", "region", "status")
    return json.dumps({"findings": [dict(zip(names, f, strict=True)) for f in findings]})


def test_reads_a_valid_answer():
    text = answer(("Cardia normal", "cardia", "normal"), ("胃体见息肉", "body", "abnormal"))
    read = read_answer(text, "gastroscopy").findings
    assert [(f.proposition, f.region, f.status) for f in read] == [
        ("Cardia normal", "cardia", "normal"),
        ("胃体见息肉", "body", "abnormal"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "answer"),
        ("[]", "answer"),
        ('{"findings": [}', "answer"),
        ("{}", "findings: Field required"),
        ('{"findings": [], "note": 1}', "note: Extra"),
        (answer(("", "cardia", "normal")), "findings.0.proposition"),
        (answer(("a" * 301, "cardia", "normal")), "findings.0.proposition"),
        (answer(("a\nb", "cardia", "normal")), "findings.0.proposition"),
        (answer(("ok", "Cardia", "normal")), "findings.0.region"),
        (answer(("ok", "cardia", "fine")), "findings.0.status"),
        (answer(("ok", "rectum", "normal")), "rectum is no region of a gastroscopy"),
        (answer(*[("ok", "cardia", "normal")] * 61), "findings"),
    ],
)
def test_refuses_what_breaks_the_schema(text, message):
    with pytest.raises(ValueError, match=message):
        read_answer(text, "gastroscopy")


def test_the_file_holds_the_closed_vocabulary():
    schema = yaml.safe_load((PROMPTS / "schema.yaml").read_text(encoding="utf-8"))
    fields = schema["properties"]["findings"]["items"]["properties"]
    assert tuple(fields["region"]["enum"]) == REGIONS


@pytest.mark.parametrize(
    ("exam", "regions"), [("gastroscopy", UPPER_REGIONS), ("colonoscopy", COLON_REGIONS)]
)
def test_regions_are_those_of_the_examination(exam, regions):
    fields = json.loads(json_schema(exam))["properties"]["findings"]["items"]["properties"]
    assert tuple(fields["region"]["enum"]) == regions


def test_every_cut_keeps_whole_findings_only():
    whole = [("Cardia {normal]", "cardia", "normal"), ("胃体见息肉", "body", "abnormal")]
    text = answer(*whole)
    kept = []
    for end in range(len(text) + 1):
        cut = read_answer(finished_part(text[:end]), "gastroscopy").findings
        assert [(f.proposition, f.region, f.status) for f in cut] == whole[: len(cut)]
        kept.append(len(cut))
    assert kept == sorted(kept)
    assert set(kept) == {0, 1, 2}
