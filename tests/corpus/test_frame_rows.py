import pytest

from endoalign.corpus.frame_rows import frame_rows, listed_frames
from endoalign.corpus.schemas import FRAMES
from endoalign.corpus.validation import validated
from endoalign.frames.shards import SCHEMA

pa = pytest.importorskip("pyarrow")


def _measured(*rows):
    whole = {"size": 1, "modified_ns": 1, "width": 10, "height": 8, "quality": 0.5, "colour": 0.5,
             "sharpness": 0.5, "exposure": 0.5, "box_left": 0, "box_top": 0, "box_right": 10,
             "box_bottom": 8, "reason": None}  # fmt: skip
    return pa.Table.from_pylist([whole | row for row in rows], schema=SCHEMA)


def _listed():
    paths = ["b/f10.jpg", "b/f2.jpg", "a/x.png", "a/x.jpg", "b/f1.jpg"]
    cases = ["b", "b", "a", "a", "b"]
    return listed_frames(cases, paths, [f"s/{path}" for path in paths], [f"/{p}" for p in paths])


def test_files_are_named_and_ordered():
    listed = _listed()
    assert listed["frame_id"].tolist() == ["a/x.jpg", "a/x.png", "b/f1", "b/f2", "b/f10"]
    assert listed["path"].tolist()[-1] == "s/b/f10.jpg"
    assert listed["file"].tolist()[-1] == "/b/f10.jpg"
    assert len(listed_frames([], [], [], [])) == 0


def test_rows_are_whole_and_unreadable_files_left_out():
    measured = _measured(
        {"file": "/a/x.jpg", "sha256": "1" * 64, "phash": "f" * 16},
        {"file": "/a/x.png", "reason": "empty file"},
        {"file": "/b/f1.jpg", "sha256": "2" * 64, "phash": "0" * 15 + "1"},
        {"file": "/b/f2.jpg", "reason": "not an image"},
        {"file": "/b/f10.jpg", "sha256": "1" * 64, "phash": "f" * 16},
    )
    frames, left_out = frame_rows(_listed(), measured, max_distance=0, within="case")
    table = validated(frames, FRAMES, "frames.parquet")
    assert table["frame_id"].tolist() == ["a/x.jpg", "b/f1", "b/f10"]
    assert table["index"].tolist() == [0, 0, 1]
    assert table["duplicate_of"].isna().tolist() == [True, True, False]
    assert table["duplicate_of"].iloc[2] == "a/x.jpg"
    assert table["retained"].isna().all()
    assert left_out["reason"].tolist() == ["empty file", "not an image"]
    assert left_out["path"].tolist() == ["s/a/x.png", "s/b/f2.jpg"]


def test_no_readable_frame():
    measured = _measured(*({"file": file, "reason": "empty file"} for file in _listed()["file"]))
    frames, left_out = frame_rows(_listed(), measured, max_distance=4, within="corpus")
    assert len(validated(frames, FRAMES, "frames.parquet")) == 0
    assert len(left_out) == 5
