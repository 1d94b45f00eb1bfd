import pytest

from endoalign.corpus.listing import files_under, inside, is_frame
from endoalign.corpus.rows import IngestError


def test_files_are_sorted_relative_and_not_hidden(tmp_path):
    for name in ("b/2.jpg", "b/1.jpg", "a.png", ".DS_Store", ".git/x.jpg", "b/._1.jpg"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    assert list(files_under(tmp_path)) == ["a.png", "b/1.jpg", "b/2.jpg"]


def test_a_missing_folder_is_an_error(tmp_path):
    (tmp_path / "file").touch()
    for path in (tmp_path / "gone", tmp_path / "file"):
        with pytest.raises(IngestError, match="no such folder"):
            list(files_under(path))


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a/B.JPG", True), ("b.jpeg", True), ("c.tiff", True), ("d.txt", False), ("jpg", False)],
)
def test_endings(path, expected):
    assert is_frame(path) is expected


def test_inside_keeps_paths_within_the_root(tmp_path):
    assert inside(tmp_path, "a/b.jpg") == "a/b.jpg"
    assert inside(tmp_path, "./a//x/../b.jpg") == "a/b.jpg"
    assert inside(tmp_path, "a\\b.jpg") == "a/b.jpg"
    assert inside(tmp_path, str(tmp_path / "a.jpg")) == "a.jpg"
    for outside in ("../a.jpg", "a/../../b.jpg", "/a.jpg", ".", ""):
        assert inside(tmp_path, outside) is None
