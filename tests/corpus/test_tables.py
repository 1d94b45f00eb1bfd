import numpy as np
import pandas as pd
import pytest

from endoalign.corpus.schemas import SCHEMAS
from endoalign.corpus.tables import (
    load_cases,
    load_corpus,
    load_findings,
    load_frames,
    load_table,
    write_table,
)
from endoalign.corpus.validation import CorpusError


def _cases(**changes):
    row = {
        "case_id": "c1",
        "patient_id": "p1",
        "exam_type": "colonoscopy",
        "split": "train",
        "source": "here",
        "language": "en",
        "report_text": "",
        "eligible": None,
        "reason": None,
    }
    return pd.DataFrame([row | changes])


def _frames(**changes):
    row = {
        "frame_id": "c1/1",
        "case_id": "c1",
        "path": "c1/1.jpg",
        "index": 0,
        "width": 60,
        "height": 40,
        "sha256": "0f" * 32,
        "phash": "0123456789abcdef",
        "quality": 0.5,
        "sharpness": 1.0,
        "exposure": 0.0,
        "colour": 0.25,
        "box_left": 0,
        "box_top": 2,
        "box_right": 60,
        "box_bottom": 40,
        "duplicate_of": None,
        "retained": None,
    }
    return pd.DataFrame([row | changes])


def _findings(**changes):
    row = {
        "finding_id": "c1#0",
        "case_id": "c1",
        "sentence": "A polyp.",
        "start": 0,
        "end": 8,
        "kind": "lesion",
        "site": None,
        "region": None,
        "status": 1,
        "count": None,
        "size_cm": None,
        "paris": None,
        "descriptors": [],
        "negated": False,
    }
    return pd.DataFrame([row | changes])


def _rejected(rows=()):
    return pd.DataFrame(list(rows), columns=["path", "case_id", "reason"])


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("cases", _cases(eligible=True, reason="")),
        ("frames", _frames(retained=False, duplicate_of="c1/0")),
        ("findings", _findings(descriptors=["smooth", "flat"], paris="0-Is", size_cm=0.4, count=2)),
        ("rejected", _rejected([("a.jpg", None, "empty file")])),
        ("rejected", _rejected()),
    ],
)
def test_tables_come_back_as_written(tmp_path, name, table):
    path = write_table(name, table, tmp_path)
    assert path == tmp_path / f"{name}.parquet"
    loaded = load_table(name, tmp_path)
    assert list(loaded.columns) == list(SCHEMAS[name].columns)
    for column in table:
        for before, after in zip(table[column], loaded[column], strict=True):
            missing = before is None
            assert pd.isna(after) if missing else after == before
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_columns_are_those_of_the_architecture():
    assert list(SCHEMAS["cases"].columns) == list(_cases())
    assert list(SCHEMAS["frames"].columns) == list(_frames())
    assert list(SCHEMAS["findings"].columns) == list(_findings())
    assert list(SCHEMAS["rejected"].columns) == list(_rejected())


@pytest.mark.parametrize(
    ("name", "table", "message"),
    [
        (
            "cases",
            _cases(split="dev"),
            r"cases\.parquet: column 'split', row 0 \(case_id 'c1'\): 'dev'",
        ),
        ("cases", _cases(exam_type="egd"), "one of colonoscopy, gastroscopy, ent"),
        ("cases", _cases(report_text=None), "column 'report_text'"),
        ("cases", pd.concat([_cases(), _cases()]), "'c1' given twice"),
        ("frames", _frames(quality=1.01), r"column 'quality'.*from 0 to 1"),
        ("frames", _frames(exposure=np.nan), "column 'exposure'"),
        ("frames", _frames(sha256="abc"), "64 hexadecimal digits"),
        ("frames", _frames(phash="XYZ3456789abcdef"), "16 hexadecimal digits"),
        ("frames", _frames(box_right=61), "must hold: box_right <= width"),
        ("frames", _frames(box_top=40), "must hold: box_top < box_bottom"),
        ("frames", _frames(index=-1), "0 or more"),
        ("frames", _frames().drop(columns="phash"), "column 'phash' is missing"),
        ("findings", _findings(region="colon"), "one of esophagus.* or empty"),
        ("findings", _findings(start=9), "must hold: start <= end"),
        ("findings", _findings(status=2), "status is 0 or 1"),
        (
            "findings",
            _findings(descriptors=["shiny"]),
            r"\['shiny'\]; right is: list of descriptors",
        ),
        ("findings", _findings(paris="Is"), "one of 0-Ip"),
        ("findings", _findings(size_cm=-1), "from 0 to 100"),
        ("lesions", _cases(), r"no table 'lesions'.*; tables: cases, frames, rejected, findings"),
        ("frame", _frames(), r"\(nearest: 'frames'\)"),
    ],
)
def test_a_wrong_table_is_refused_and_nothing_written(tmp_path, name, table, message):
    with pytest.raises(CorpusError, match=message):
        write_table(name, table, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_refused_table_leaves_the_old_one(tmp_path):
    write_table("cases", _cases(), tmp_path)
    with pytest.raises(CorpusError):
        write_table("cases", _cases(split="dev"), tmp_path)
    assert load_cases(tmp_path)["split"].tolist() == ["train"]


def test_missing_and_damaged_files_name_the_notebook(tmp_path):
    with pytest.raises(
        CorpusError, match=r"frames\.parquet is missing: notebook 00_corpus makes it"
    ):
        load_frames(tmp_path)
    with pytest.raises(CorpusError, match=r"findings\.parquet is missing: notebook 01_curation"):
        load_findings(tmp_path)
    (tmp_path / "cases.parquet").write_bytes(b"no table")
    with pytest.raises(CorpusError, match=r"cases\.parquet is no sound Parquet file"):
        load_cases(tmp_path)


def test_a_table_written_by_others_is_validated_on_load(tmp_path):
    _cases(split="dev").to_parquet(tmp_path / "cases.parquet")
    with pytest.raises(CorpusError, match="'dev'"):
        load_cases(tmp_path)


def test_corpus_holds_together(tmp_path):
    write_table("cases", _cases(), tmp_path)
    write_table("frames", _frames(), tmp_path)
    write_table("rejected", _rejected(), tmp_path)
    corpus = load_corpus(tmp_path)
    assert (len(corpus.cases), len(corpus.frames), len(corpus.rejected)) == (1, 1, 0)
    write_table("frames", _frames(case_id="c9"), tmp_path)
    with pytest.raises(CorpusError, match=r"column 'case_id', row 0: 'c9' is no case"):
        load_corpus(tmp_path)
