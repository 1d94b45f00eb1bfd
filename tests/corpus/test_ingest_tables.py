import pytest

from endoalign.corpus.ingest_tables import list_tables
from endoalign.corpus.rows import IngestError
from endoalign.corpus.sources import FrameColumns, ReportColumns, TablesSource


def _source(folder, frames, reports="case_id,report_text\n1,fine\n", **settings):
    (folder / "frames.csv").write_text(frames)
    (folder / "reports.csv").write_text(reports)
    return TablesSource(
        name="t",
        root=folder,
        frames=folder / "frames.csv",
        reports=folder / "reports.csv",
        **settings,
    )


def test_two_tables_with_their_own_names(tmp_path):
    source = _source(
        tmp_path,
        "file;exam\na/1.jpg;1\na\\2.jpg;1\nb/1.png;2\n",
        "exam,text\n1,fine\n",
        frame_columns=FrameColumns(path="file", case_id="exam"),
        report_columns=ReportColumns(case_id="exam", report_text="text"),
    )
    listing = list_tables(source)
    assert [(frame.case_id, frame.path) for frame in listing.frames] == [
        ("1", "a/1.jpg"), ("1", "a/2.jpg"), ("2", "b/1.png"),
    ]  # fmt: skip
    assert list(listing.cases) == ["1"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("a/1.jpg,1", "'a/1.jpg' is listed twice"),
        ("../1.jpg,1", "lies outside the frame root"),
        (",1", "path is ''"),
        ("b.jpg,", "case_id is ''"),
        ("b.jpg", "1 cells where the header has 2"),
    ],
)
def test_bad_rows(tmp_path, row, reason):
    frames = f"path,case_id\na/1.jpg,1\n{row}\n"
    with pytest.raises(IngestError, match=r"frames\.csv, line 3: ") as caught:
        list_tables(_source(tmp_path, frames))
    assert reason in str(caught.value)
    listing = list_tables(_source(tmp_path, frames, on_bad_row="record"))
    assert [left.path for left in listing.left_out] == ["frames.csv:3"]
    assert len(listing.frames) == 1


def test_missing_columns_and_empty_tables(tmp_path):
    with pytest.raises(
        IngestError, match=r"column 'path' is missing; columns found: file, case_id"
    ):
        list_tables(_source(tmp_path, "file,case_id\n"))
    with pytest.raises(IngestError, match="lists no frame"):
        list_tables(_source(tmp_path, "path,case_id\n"))
