import json

import pytest

from endoalign.corpus.case_rows import RowError, exam_type_of, identifier, list_reports
from endoalign.corpus.listing import LeftOut, Listing
from endoalign.corpus.rows import IngestError
from endoalign.corpus.sources import FoldersSource, ReportColumns

FIELDS = ("patient_id", "exam_type", "split", "source", "language")


def _list(path, rows, columns=None, **settings):
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines))
    listing = Listing()
    source = FoldersSource(name="here", reports=path, **settings)
    list_reports(listing, path, columns or ReportColumns(), source)
    return listing


def _row(case_id="1", **more):
    return {"case_id": case_id, "report_text": "A polyp.", **more}


def test_defaults_fill_what_a_report_does_not_say(tmp_path):
    listing = _list(tmp_path / "r.jsonl", [_row()], exam_type="gastroscopy", split="test")
    assert listing.cases["1"] == {
        "case_id": "1",
        "patient_id": "1",
        "exam_type": "gastroscopy",
        "split": "test",
        "source": "here",
        "language": "en",
        "report_text": "A polyp.",
        "eligible": None,
        "reason": None,
    }


def test_columns_win_over_defaults_and_empty_cells_do_not(tmp_path):
    said = _row(patient_id=7, exam_type="Colonscopy", split="validation", source="s", language="zh")
    silent = _row("2", patient_id=None, exam_type="", split=" ", source=float("nan"))
    cases = _list(tmp_path / "r.jsonl", [said, silent], exam_type="ent").cases
    assert [cases["1"][key] for key in FIELDS] == [
        "7", "colonoscopy", "validation", "s", "zh",
    ]  # fmt: skip
    assert [cases["2"][key] for key in FIELDS] == [
        "2", "ent", "train", "here", "en",
    ]  # fmt: skip


def test_mapping_prefix_and_language_by_script(tmp_path):
    columns = ReportColumns(case_id="no", report_text="note", split="part")
    rows = [{"no": 12, "note": "横结肠见息肉", "part": "test"}]
    cases = _list(tmp_path / "r.jsonl", rows, columns, case_prefix="x-").cases
    assert list(cases) == ["x-12"]
    assert cases["x-12"]["language"] == "zh"
    assert cases["x-12"]["split"] == "test"


BAD_ROWS = [
    ('{"case_id": 2,', "no JSON"),
    (_row("1"), "case_id '1' repeats that of line 1"),
    (_row(""), "case_id is '', not a text or a whole number"),
    (_row(None), "case_id is None"),
    (_row(True), "case_id is True"),
    (_row(1.5), "case_id is 1.5"),
    (_row("2", report_text=None), "report_text is None, not a text"),
    ({"case_id": "2"}, "report_text is None, not a text"),
    (_row("2", split="dev"), "split 'dev' is not one of train, validation, test"),
    (_row("2", exam_type="mri"), "exam type 'mri' is not one of"),
    (_row("2", language="de"), "language 'de' is not one of en, zh"),
]


@pytest.mark.parametrize(("row", "reason"), BAD_ROWS)
def test_a_bad_row_stops_with_its_line_or_is_recorded(tmp_path, row, reason):
    path = tmp_path / "r.jsonl"
    with pytest.raises(IngestError, match=r"r\.jsonl, line 2: ") as caught:
        _list(path, [_row(), row, _row("9")])
    assert reason in str(caught.value)
    listing = _list(path, [_row(), row, _row("9")], on_bad_row="record")
    assert list(listing.cases) == ["1", "9"]
    (left_out,) = listing.left_out
    assert isinstance(left_out, LeftOut)
    assert left_out.path == "r.jsonl:2"
    assert reason in left_out.reason


def test_identifier():
    assert identifier(" 007 ", "id") == "007"
    assert identifier(7.0, "id") == identifier(7, "id") == "7"
    with pytest.raises(RowError, match="id is nan"):
        identifier(float("nan"), "id")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("colonscopy", "colonoscopy"),
        ("EGD", "gastroscopy"),
        ("Laryngoscopy", "ent"),
        ("ent", "ent"),
    ],
)
def test_exam_types_by_their_other_names(name, expected):
    assert exam_type_of(name) == expected
