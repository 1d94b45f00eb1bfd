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
        ("stem", ["top", "1", "1"]),
        ("path", ["top", "p1/s1/1", "p1/s2/1"]),
    ],
)
def test_what_names_the_case(tmp_path, case_from, cases):
    _files(tmp_path, "top.png", "p1/s1/1.jpg", "p1/s2/1.jpg", "p1/notes.txt")
    listing = list_folders(FoldersSource(name="all", frames=tmp_path, case_from=case_from))
    paths = ["top.png", "p1/s1/1.jpg", "p1/s2/1.jpg"]
    assert sorted(_listed(listing)) == sorted(zip(cases, paths, strict=True))
    assert listing.ignored == 1
    assert listing.cases == {}


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
