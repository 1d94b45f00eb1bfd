import codecs
import unicodedata

import pytest

from endoalign.datasets.text_files import read_cells, read_lines, read_table, read_text

TEXT = "name;class\na.jpg;Ulcère\n\nb.jpg;Blut\n"


def variants(text):
    windows = text.replace("\n", "\r\n")
    return {
        "utf-8": text.encode(),
        "no final newline": text.rstrip("\n").encode(),
        "windows": windows.encode(),
        "old mac": text.replace("\n", "\r").encode(),
        "marked utf-8": codecs.BOM_UTF8 + windows.encode(),
        "utf-16 le": codecs.BOM_UTF16_LE + windows.encode("utf-16-le"),
        "utf-16 be": codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
        "utf-16 le unmarked": text.encode("utf-16-le"),
        "utf-16 be unmarked": text.encode("utf-16-be"),
    }


@pytest.mark.parametrize("kind", variants(""))
@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_every_kind_of_file_reads_the_same(tmp_path, kind, separator):
    path = tmp_path / "list.csv"
    path.write_bytes(variants(TEXT.replace(";", separator))[kind])
    expected = [("a.jpg", "Ulcère"), ("b.jpg", "Blut")]
    lines = [separator.join(row) for row in [("name", "class"), *expected]]
    assert [line for _, line in read_lines(path)] == lines
    rows, problems = read_table(path, ["name", "class"], "list.csv")
    assert [(values["name"], values["class"]) for _, values in rows] == expected
    assert problems == []
    cells, problems = read_cells(path, ["n", "c"], "list.csv")
    assert [(values["n"], values["c"]) for _, values in cells][1:] == expected
    assert problems == []


@pytest.mark.parametrize("content", [b"", b"\n\n", codecs.BOM_UTF8, codecs.BOM_UTF16_LE])
def test_empty_files_have_no_lines(tmp_path, content):
    path = tmp_path / "list.txt"
    path.write_bytes(content)
    assert read_lines(path) == []
    assert read_cells(path, ["a", "b"], "list.txt") == ([], [])


def test_line_numbers_count_blank_lines(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("\n a \n\nb\n")
    assert read_lines(path) == [(2, "a"), (4, "b")]


def test_other_text_is_refused_by_its_file(tmp_path):
    path = tmp_path / "list.csv"
    path.write_bytes("name;class\na;Größe\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"list\.csv: not readable as UTF-8 or UTF-16"):
        read_text(path)
    with pytest.raises(ValueError, match=r"list\.csv: not readable as UTF-8 or UTF-16"):
        read_table(path, ["name"], "list.csv")


def test_a_line_of_other_cells_is_a_problem_and_the_rest_is_kept(tmp_path):
    path = tmp_path / "train.txt"
    path.write_text("a.mp4,1\nb.mp4\nc.mp4,0,x\nd.mp4;0\n")
    rows, problems = read_cells(path, ["name", "label"], "splits/train.txt")
    assert rows == [(1, {"name": "a.mp4", "label": "1"}), (4, {"name": "d.mp4", "label": "0"})]
    assert [problem.path for problem in problems] == ["splits/train.txt:2", "splits/train.txt:3"]
    assert "is not name,label" in problems[0].what


def test_a_table_keeps_its_good_rows(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("name,class\na,1\nb\nc,2\n")
    rows, problems = read_table(path, ["name", "class"], "t.csv")
    assert [line for line, _ in rows] == [2, 4]
    assert [problem.path for problem in problems] == ["t.csv:3"]


def test_a_missing_column_names_the_nearest(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("nam;class\na;1\n")
    with pytest.raises(ValueError, match=r"t\.csv: column 'name' is missing \(nearest: 'nam'\)"):
        read_table(path, ["name"], "t.csv")


def test_chinese_in_utf_16_without_mark_is_not_taken_for_it_silently(tmp_path):
    """Text without any ASCII cannot be told from other bytes: it is refused, not garbled."""
    path = tmp_path / "t.txt"
    path.write_bytes("结肠息肉".encode("utf-16-le"))
    with pytest.raises(ValueError, match="not readable"):
        read_text(path)
    path.write_text("结肠息肉\n", encoding="utf-8")
    assert unicodedata.normalize("NFC", read_text(path)) == "结肠息肉\n"
