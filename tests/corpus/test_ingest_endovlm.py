import json

import pytest

from endoalign.corpus.ingest_endovlm import list_endovlm
from endoalign.corpus.rows import IngestError
from endoalign.corpus.sources import EndoVLMSource


def _row(**changes):
    row = {
        "id": 17,
        "modality": "colonscopy",
        "image_path": "exams/17",
        "endo_report_raw": "raw words",
        "endo_report": "Findings\nRectum: a polyp.",
        "site_abnormality_flags": [0] * 8 + [1],
        "valid_image_paths": ["exams/17/a.jpg", "b.jpg"],
    }
    return row | changes


def _source(folder, *rows, **settings):
    path = folder / "data.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    (folder / "frames" / "exams" / "17").mkdir(parents=True, exist_ok=True)
    for name in ("a.jpg", "b.jpg", "c.txt"):
        (folder / "frames" / "exams" / "17" / name).write_bytes(b"x")
    return EndoVLMSource(name="e", jsonl=path, frames=folder / "frames", **settings)


def test_one_examination(tmp_path):
    listing = list_endovlm(_source(tmp_path, _row()))
    case = listing.cases["17"]
    assert case["exam_type"] == "colonoscopy"
    assert case["report_text"] == "Findings\nRectum: a polyp."
    assert [frame.path for frame in listing.frames] == ["exams/17/a.jpg", "exams/17/b.jpg"]
    assert {frame.case_id for frame in listing.frames} == {"17"}


def test_the_raw_report_and_a_prefix(tmp_path):
    source = _source(tmp_path, _row(), report_field="endo_report_raw", case_prefix="e")
    assert list_endovlm(source).cases["e17"]["report_text"] == "raw words"


def test_without_a_list_every_frame_of_the_folder_is_taken(tmp_path):
    listing = list_endovlm(_source(tmp_path, _row(valid_image_paths=None)))
    assert [frame.path for frame in listing.frames] == ["exams/17/a.jpg", "exams/17/b.jpg"]


def test_absolute_missing_and_outside_paths(tmp_path):
    inside = str(tmp_path / "frames" / "exams" / "17" / "a.jpg")
    paths = [inside, inside, "gone.jpg", "/elsewhere/x.jpg"]
    listing = list_endovlm(_source(tmp_path, _row(valid_image_paths=paths)))
    assert [frame.path for frame in listing.frames] == ["exams/17/a.jpg", "gone.jpg"]
    (left_out,) = listing.left_out
    assert (left_out.path, left_out.case_id) == ("/elsewhere/x.jpg", "17")


def test_gastroscopy_has_eight_flags_and_flags_may_be_absent(tmp_path):
    upper = _row(id=1, modality="gastroscopy", site_abnormality_flags=[0, 1] * 4)
    bare = _row(id=2)
    del bare["site_abnormality_flags"]
    cases = list_endovlm(_source(tmp_path, upper, bare)).cases
    assert [cases[key]["exam_type"] for key in ("1", "2")] == ["gastroscopy", "colonoscopy"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, "id '17' repeats that of line 1"),
        ({"id": None}, "id is None"),
        ({"modality": "ultrasound"}, "exam type 'ultrasound' is not one of"),
        ({"endo_report": None}, "endo_report is None, not a text"),
        ({"site_abnormality_flags": [0] * 8}, "not 9 of 0 and 1 for colonoscopy"),
        ({"site_abnormality_flags": [2] * 9}, "not 9 of 0 and 1"),
        ({"site_abnormality_flags": [[]] * 9}, "not 9 of 0 and 1"),
        ({"image_path": None}, "image_path is None"),
        ({"valid_image_paths": "a.jpg"}, "not a list of paths"),
        ({"valid_image_paths": None, "image_path": "gone"}, "is no folder in the frame root"),
    ],
)
def test_bad_rows(tmp_path, changes, reason):
    bad = _row(**({"id": 18} | changes)) if changes else _row()
    with pytest.raises(IngestError, match=r"data\.jsonl, line 2: ") as caught:
        list_endovlm(_source(tmp_path, _row(), bad))
    assert reason in str(caught.value)
    listing = list_endovlm(_source(tmp_path, _row(), bad, on_bad_row="record"))
    assert list(listing.cases) == ["17"]
    assert len(listing.left_out) == 1


def test_missing_fields_and_empty_files(tmp_path):
    row = _row()
    del row["valid_image_paths"]
    with pytest.raises(IngestError, match="column 'valid_image_paths' is missing"):
        list_endovlm(_source(tmp_path, row))
    with pytest.raises(IngestError, match="holds no examination"):
        list_endovlm(_source(tmp_path))
