import codecs
import json

import pandas as pd
import pytest

from endoalign.corpus.read_rows import read_rows
from endoalign.corpus.rows import BadRow, IngestError, Row

REQUIRED = ["case_id", "text"]
ROWS = [
    Row(2, {"case_id": "01", "text": 'A polyp, "small";\nnothing else'}),
    Row(4, {"case_id": "2", "text": "乙状结肠 é"}),
]


def _csv(delimiter=",", newline="\n", last=True):
    lines = [
        delimiter.join(("case_id", "text")),
        f'01{delimiter}"A polyp, ""small"";{newline}nothing else"',
        delimiter.join(("2", "乙状结肠 é")),
    ]
    return newline.join(lines) + (newline if last else "")


def _read(path, content, required=REQUIRED, encoding=""):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_rows(path, required, encoding))


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("last", [True, False])
def test_csv_of_any_delimiter_with_and_without_last_newline(tmp_path, delimiter, last):
    assert _read(tmp_path / "r.csv", _csv(delimiter, last=last)) == ROWS


def test_windows_line_ends(tmp_path):
    rows = _read(tmp_path / "r.csv", _csv(newline="\r\n"))
    assert [row.values["case_id"] for row in rows] == ["01", "2"]
    assert rows[0].values["text"] == 'A polyp, "small";\r\nnothing else'


@pytest.mark.parametrize(
    "content",
    [
        codecs.BOM_UTF8 + _csv().encode(),
        _csv().encode("utf-16"),
        codecs.BOM_UTF16_BE + _csv().encode("utf-16-be"),
    ],
)
def test_marked_encodings_are_recognised(tmp_path, content):
    assert _read(tmp_path / "r.csv", content) == ROWS


def test_other_encodings_are_named_or_refused(tmp_path):
    content = "case_id,text\n1,fine\n2,乙状结肠\n".encode("gb18030")
    assert _read(tmp_path / "r.csv", content, encoding="gb18030")[1].values["text"] == "乙状结肠"
    with pytest.raises(
        IngestError, match=r"r\.csv, line 3: not readable as UTF-8; save it as UTF-8"
    ):
        _read(tmp_path / "r.csv", content)
    with pytest.raises(IngestError, match=r"unknown encoding 'utf-99'"):
        _read(tmp_path / "r.csv", content, encoding="utf-99")
    with pytest.raises(IngestError, match="not readable as"):
        _read(tmp_path / "r.jsonl", b'{"case_id": "1", "text": "\xff"}')


def test_missing_column_lists_those_found_with_the_nearest(tmp_path):
    with pytest.raises(
        IngestError,
        match=r"column 'text' is missing \(nearest: 'Text'\); columns found: case_id, Text$",
    ):
        _read(tmp_path / "r.csv", "case_id;Text\n1;a\n")
    with pytest.raises(IngestError, match="columns found: none"):
        _read(tmp_path / "r.csv", "")


def test_rows_of_wrong_length_are_bad_rows(tmp_path):
    rows = _read(tmp_path / "r.csv", "case_id,text\n1,a,b\n\n2\n3,c\n")
    assert rows[0] == BadRow(2, "3 cells where the header has 2")
    assert rows[1] == BadRow(4, "1 cells where the header has 2")
    assert rows[2] == Row(5, {"case_id": "3", "text": "c"})


@pytest.mark.parametrize(
    ("broken", "lines"),
    [
        ('2,"d"e\n3,f\n', "lines 3 to 3"),
        ('2,"open\n3,f\n', "lines 3 to 4"),
        ('2,"open\n3,f\n4,"g"\n', "lines 3 to 5"),
        ('2,"a\nb",c\n3,f\n', "lines 3 to 4"),
    ],
)
def test_broken_quotes_stop_for_no_one_knows_where_the_next_row_begins(tmp_path, broken, lines):
    with pytest.raises(IngestError, match=rf"r\.csv, {lines}: broken quotes"):
        _read(tmp_path / "r.csv", "case_id,text\n1,a\n" + broken)


def test_a_report_longer_than_python_s_own_limit_is_read(tmp_path):
    text = "A polyp was seen.\n" * 20_000
    rows = _read(tmp_path / "r.csv", f'case_id,text\n1,"{text}"\n')
    assert rows == [Row(2, {"case_id": "1", "text": text})]


def test_jsonl_with_half_a_character_is_a_bad_row(tmp_path):
    rows = _read(
        tmp_path / "r.jsonl", '{"case_id": 1, "text": "\\ud83d"}\n{"case_id": 2, "text": "a"}\n'
    )
    assert isinstance(rows[0], BadRow)
    assert rows[0].line == 1
    assert rows[1] == Row(2, {"case_id": 2, "text": "a"})


def test_jsonl_names_the_broken_line(tmp_path):
    lines = ['{"case_id": 1, "text": "a"}', "", '{"case_id": 2, "te', "[1]", '{"case_id": 3}']
    rows = _read(tmp_path / "r.jsonl", "\n".join(lines))
    assert [row.line for row in rows] == [1, 3, 4, 5]
    assert rows[0] == Row(1, {"case_id": 1, "text": "a"})
    assert rows[1].reason.startswith("no JSON")
    assert rows[2].reason == "a JSON value that is not an object of fields"
    assert rows[3] == Row(5, {"case_id": 3})


def test_jsonl_with_windows_line_ends_and_mark(tmp_path):
    content = codecs.BOM_UTF8 + b'{"case_id": 1, "text": "a"}\r\n{"case_id": 2, "text": "b"}\r\n'
    assert [row.values["text"] for row in _read(tmp_path / "r.jsonl", content)] == ["a", "b"]


def test_deep_and_empty_jsonl(tmp_path):
    assert _read(tmp_path / "r.jsonl", "") == []
    (row,) = _read(tmp_path / "r.jsonl", "[" * 100_000)
    assert isinstance(row, BadRow)


def test_jsonl_without_a_required_field(tmp_path):
    content = json.dumps({"id": 1, "texts": "a"})
    with pytest.raises(IngestError, match=r"column 'case_id' is missing.*columns found: id, texts"):
        _read(tmp_path / "r.jsonl", content)


def test_parquet(tmp_path):
    path = tmp_path / "r.parquet"
    pd.DataFrame({"case_id": [1, 2], "text": ["a", None]}).to_parquet(path)
    assert list(read_rows(path, REQUIRED)) == [
        Row(1, {"case_id": 1, "text": "a"}),
        Row(2, {"case_id": 2, "text": None}),
    ]
    with pytest.raises(IngestError, match="column 'name' is missing"):
        list(read_rows(path, ["name"]))
    with pytest.raises(IngestError, match="no sound Parquet file"):
        _read(path, b"PAR1")


def test_unknown_endings_and_missing_files(tmp_path):
    with pytest.raises(IngestError, match=r"unknown ending; known: \.csv"):
        list(read_rows(tmp_path / "r.xlsx", REQUIRED))
    with pytest.raises(IngestError, match="no such file"):
        list(read_rows(tmp_path / "r.csv", REQUIRED))
