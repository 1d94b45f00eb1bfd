import pytest

from endoalign.datasets.listing import Names, by_stem, natural_sort, numbered


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], []),
        (["10.png", "2.png", "1.png"], ["1.png", "2.png", "10.png"]),
        (["b1", "a10", "a9", "a"], ["a", "a9", "a10", "b1"]),
        (["x1y10", "x1y9", "x01y1"], ["x01y1", "x1y9", "x1y10"]),
        (["²", "1"], ["1", "²"]),
    ],
)
def test_natural_sort(names, expected):
    assert natural_sort(names) == expected


@pytest.fixture
def names(tmp_path):
    for name in ("Images/A_Image01.PNG", "Images/b.png", "Images/B.png", "Images/.hidden.png"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
    (tmp_path / "Images/notes.txt").write_bytes(b"")
    (tmp_path / "__MACOSX").mkdir()
    return Names(tmp_path)


def test_names_are_found_whatever_their_case(names):
    assert names.find("images/a_image01.png") == "Images/A_Image01.PNG"
    assert names.find("Images\\A_Image01.PNG") == "Images/A_Image01.PNG"
    assert names.find_first("masks", "IMAGES") == "Images"
    assert names.find("images/c.png") is None
    assert names.find("nowhere/c.png") is None


def test_the_exact_name_wins_and_two_near_ones_are_none(tmp_path, names):
    if len(names.entries("Images")) < 4:
        pytest.skip("this file system does not tell names by case")
    assert names.find("Images/b.png") == "Images/b.png"
    assert names.find("Images/B.png") == "Images/B.png"
    (tmp_path / "ab").write_bytes(b"")
    (tmp_path / "AB").write_bytes(b"")
    assert Names(tmp_path).find("Ab") is None


def test_hidden_files_are_no_entries_and_texts_no_images(names):
    assert names.entries() == ["Images"]
    assert "notes.txt" not in names.images("Images")
    assert "A_Image01.PNG" in names.images("Images")
    assert names.images("nowhere") == []


def test_composed_and_decomposed_letters_are_one_name(tmp_path):
    (tmp_path / "Ve\u0301.png").write_bytes(b"")
    assert Names(tmp_path).find("V\u00e9.png") == "Ve\u0301.png"


def test_by_stem_keeps_the_first():
    assert by_stem(["a.png", "A.jpg", "b.x.png"]) == {"a": "a.png", "b.x": "b.x.png"}


def test_numbered():
    assert list(numbered(["1.tif", "02.tif", "p3.tif", "x.tif"])) == [(1, "1.tif"), (2, "02.tif")]
