import json

import pytest

from endoalign.reports.language import detect_language
from endoalign.reports.triplets.grounding import find_ground
from endoalign.reports.triplets.prompt import _examples, messages_for
from endoalign.reports.triplets.records import ReportInput
from endoalign.reports.triplets.schema import read_answer
from endoalign.reports.triplets.settings import TripletSettings
from endoalign.vocabulary import COLON_REGIONS, UPPER_REGIONS

REPORT = ReportInput("x", "Antrum: {erosions}. Body normal.")


def test_the_chat_holds_task_examples_and_report():
    chat = messages_for(REPORT, "gastroscopy", TripletSettings(example_count=2))
    assert [m["role"] for m in chat] == ["user", "assistant"] * 2 + ["user"]
    assert "report of a gastroscopy" in chat[0]["content"]
    assert ", ".join(UPPER_REGIONS) in chat[0]["content"]
    assert chat[-1]["content"].endswith(REPORT.text)
    assert "Oesophagus" in chat[0]["content"]  # the example of this examination and language first


def test_without_examples_all_is_one_message():
    (only,) = messages_for(REPORT, "colonoscopy", TripletSettings(example_count=0))
    assert ", ".join(COLON_REGIONS) in only["content"]
    assert only["content"].endswith(REPORT.text)


def test_chinese_reports_see_chinese_examples():
    chat = messages_for(ReportInput("x", "胃窦：糜烂"), "gastroscopy", TripletSettings())
    assert detect_language(chat[1]["content"].split('"')[5]) == "zh"


def test_the_packaged_examples_obey_their_own_rules():
    examples = _examples(None, "gastroscopy", "en")
    assert {(e.exam_type, e.language) for e in examples} == {
        (exam, language) for exam in ("gastroscopy", "colonoscopy") for language in ("en", "zh")
    }
    for example in examples:
        findings = [f.model_dump() for f in example.findings]
        assert findings
        read_answer(json.dumps({"findings": findings}), example.exam_type)
        for finding in example.findings:
            assert find_ground(finding.proposition, example.report, 0.8), finding
        assert detect_language(example.report) == example.language


def test_files_of_the_user(tmp_path):
    prompt, examples = tmp_path / "prompt.yaml", tmp_path / "examples.yaml"
    prompt.write_text('task: "Do {exam}."\nreport: "Text: "\n')
    examples.write_text(
        "- {exam_type: colonscopy, language: en, report: Ileum fine., findings: "
        "[{proposition: Ileum fine, region: Insertion, status: normal}]}\n"
    )
    settings = TripletSettings(prompt=str(prompt), examples=str(examples))
    chat = messages_for(REPORT, "colonoscopy", settings)
    assert chat[0]["content"] == "Do colonoscopy.\nText: Ileum fine."
    assert json.loads(chat[1]["content"])["findings"][0]["region"] == "terminal_ileum"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {exam_type: ent}", "examples.0.exam_type.*unknown examination 'ent'"),
        ("- {nonsense: 1}", "examples.0.exam_type: Field required"),
        ("a: [", "not sound YAML"),
        ("just text", "examples: Input should be a valid list"),
    ],
)
def test_a_broken_file_of_examples_is_named(tmp_path, text, message):
    path = tmp_path / f"{abs(hash(text))}.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"{path.name}.*{message}"):
        messages_for(REPORT, "gastroscopy", TripletSettings(examples=str(path)))


def test_an_unknown_region_in_an_example_is_named(tmp_path):
    path = tmp_path / "regions.yaml"
    path.write_text(
        "- {exam_type: egd, language: en, report: x, findings: "
        "[{proposition: x, region: jejunum, status: normal}]}\n"
    )
    with pytest.raises(ValueError, match=r"examples\.0\.findings.*unknown region 'jejunum'"):
        messages_for(REPORT, "gastroscopy", TripletSettings(examples=str(path)))


def test_a_missing_file_is_named():
    with pytest.raises(ValueError, match=r"nowhere\.yaml: cannot be read: No such file"):
        messages_for(REPORT, "gastroscopy", TripletSettings(prompt="nowhere.yaml"))
