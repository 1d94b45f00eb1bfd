import os

import pytest

from endoalign.corpus.ingest_folders import list_folders
from endoalign.corpus.rows import IngestError
from endoalign.corpus.sources import FoldersSource


def _files(root, *names):
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")


def _listed(listing):
    return [(frame.case_id, frame.path) for frame in listing.frames]


@pytest.mark.parametrize(
    ("case_from", "cases"),
    [
        ("parent", ["all", "p1/s1", "p1/s2"]),
        ("stem", ["top", "1", "2"]),
        ("path", ["top", "p1/s1/1", "p1/s2/2"]),
    ],
)
def test_what_names_the_case(tmp_path, case_from, cases):
    _files(tmp_path, "top.png", "p1/s1/1.jpg", "p1/s2/2.jpg", "p1/notes.txt")
    listing = list_folders(FoldersSource(name="all", frames=tmp_path, case_from=case_from))
    paths = ["top.png", "p1/s1/1.jpg", "p1/s2/2.jpg"]
    assert sorted(_listed(listing)) == sorted(zip(cases, paths, strict=True))
    assert listing.ignored == 1
    assert listing.cases == {}


@pytest.mark.parametrize(
    ("case_from", "files"),
    [("stem", ("p1/1.jpg", "p2/1.jpg")), ("path", ("p1/1.jpg", "p1/1.png"))],
)
def test_two_files_never_share_a_case_that_each_should_have_alone(tmp_path, case_from, files):
    _files(tmp_path, *files)
    with pytest.raises(IngestError, match=rf"{files[0]} and {files[1]} would both be case"):
        list_folders(FoldersSource(name="all", frames=tmp_path, case_from=case_from))


def test_a_file_name_that_is_not_utf8_is_left_out_with_the_reason(tmp_path):
    _files(tmp_path, "c/a.jpg")
    (tmp_path / "c" / os.fsdecode(b"b\xfc.jpg")).write_bytes(b"x")
    listing = list_folders(FoldersSource(name="all", frames=tmp_path))
    assert [frame.path for frame in listing.frames] == ["c/a.jpg"]
    assert [left.reason for left in listing.left_out] == ["file name is not UTF-8"]


def test_prefix_applies_to_frames_and_reports_alike(tmp_path):
    _files(tmp_path, "f/1/a.jpg")
    (tmp_path / "r.csv").write_text("case_id,report_text\n1,fine\n")
    source = FoldersSource(
        name="a", frames=tmp_path / "f", reports=tmp_path / "r.csv", case_prefix="a:"
    )
    listing = list_folders(source)
    assert list(listing.cases) == ["a:1"]
    assert _listed(listing) == [("a:1", "1/a.jpg")]


def test_reports_alone(tmp_path):
    (tmp_path / "r.csv").write_text("case_id,report_text\n1,fine\n")
    listing = list_folders(FoldersSource(name="a", reports=tmp_path / "r.csv"))
    assert list(listing.cases) == ["1"]
    assert listing.frames == []


def test_empty_and_missing_folders(tmp_path):
    with pytest.raises(IngestError, match=r"no frames among its 0 files; frames end in \.jpg"):
        list_folders(FoldersSource(name="a", frames=tmp_path))
    _files(tmp_path, "a.dcm")
    with pytest.raises(IngestError, match="no frames among its 1 files"):
        list_folders(FoldersSource(name="a", frames=tmp_path))
    with pytest.raises(IngestError, match="no such folder"):
        list_folders(FoldersSource(name="a", frames=tmp_path / "gone"))
