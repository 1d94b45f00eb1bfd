import numpy as np
import pandas as pd
import pytest

from endoalign.corpus.manifest import Manifest
from endoalign.corpus.validation import CorpusError
from endoalign.recovery.pairs import PAIRS, combine, load_pairs, make_pairs, write_pairs


def rows(**values):
    base = {"frame_id": ["f2", "f1"], "case_id": ["b", "a"], "text": ['a "5 mm"\tpolyp', "x"]}
    return pd.DataFrame({**base, **values})


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    Manifest(roots={"world": "raw"}, settings="0" * 64, counts={}).write(folder)
    return folder, pd.DataFrame({"frame_id": ["f1", "f2"], "path": ["a/1.jpg", "b/2.jpg"]})


def test_pairs_are_sorted_and_empty_where_nothing_is_known():
    pairs = make_pairs(rows(), stage="I", seed=3)
    assert list(pairs.columns) == list(PAIRS.columns)
    assert pairs["frame_id"].tolist() == ["f1", "f2"]
    assert pairs["finding_id"].isna().all() and pairs["score"].isna().all()
    assert pairs["seed"].tolist() == [3, 3]


@pytest.mark.parametrize(
    ("values", "column"),
    [
        ({"text": ["", "x"]}, "text"),
        ({"text": [" \n", "x"]}, "text"),
        ({"score": [3.0, 0.0]}, "score"),
        ({"frame_id": [None, "f1"]}, "frame_id"),
    ],
)
def test_unfit_values_are_named(values, column):
    with pytest.raises(CorpusError, match=f"'{column}'"):
        make_pairs(rows(**values), stage="I", seed=0)


@pytest.mark.parametrize("stage", ["V", "IVx", "", "IV-"])
def test_unknown_stage_is_refused_and_the_known_ones_listed(stage):
    with pytest.raises(CorpusError, match="one of I, II, III, IV, naive, oracle"):
        make_pairs(rows(), stage=stage, seed=0)


def test_a_missing_column_is_named():
    with pytest.raises(CorpusError, match="column 'text' is missing"):
        make_pairs(rows().drop(columns="text"), stage="I", seed=0)


def test_files_read_back_and_the_csv_reads_as_openclip_reads_it(tmp_path, corpus):
    folder, frames = corpus
    pairs = make_pairs(rows(finding_id=["b#0", "a#0"], score=[0.5, None]), stage="III", seed=1)
    path = write_pairs(pairs, tmp_path / "pairs", "anchors", frames, folder)
    assert sorted(p.name for p in path.parent.iterdir()) == ["anchors.csv", "anchors.parquet"]
    pd.testing.assert_frame_equal(load_pairs(path), pairs)
    table = pd.read_csv(path.with_suffix(".csv"), sep="\t")  # OpenCLIP's CsvDataset, by default
    assert table.columns.tolist() == ["filepath", "title"]
    assert table["title"].tolist() == ["x", 'a "5 mm"\tpolyp']
    assert table["filepath"].tolist() == [str(folder / "raw" / p) for p in frames["path"]]


def test_an_unknown_frame_writes_nothing(tmp_path, corpus):
    folder, frames = corpus
    pairs = make_pairs(rows(), stage="I", seed=0)
    with pytest.raises(CorpusError, match="'f2' is no frame"):
        write_pairs(pairs, tmp_path / "pairs", "one", frames.iloc[:1], folder)
    assert not (tmp_path / "pairs").exists()


def test_no_pairs_at_all(tmp_path, corpus):
    folder, frames = corpus
    pairs = make_pairs(rows().iloc[:0], stage="I", seed=0)
    path = write_pairs(pairs, tmp_path, "none", frames, folder)
    assert len(load_pairs(path)) == 0


def test_missing_file_says_who_makes_it(tmp_path):
    with pytest.raises(CorpusError, match="notebooks 02 to 04"):
        load_pairs(tmp_path / "no.parquet")


def test_combining_keeps_each_stage_and_refuses_a_pair_given_twice():
    third = make_pairs(rows(finding_id=["b#0", "a#0"], score=[0.5, 0.1]), stage="III", seed=1)
    fourth = make_pairs(rows(finding_id=["c#0", "d#0"], score=[0.5, 0.1]), stage="IV", seed=1)
    both = combine(third, fourth)
    assert both["stage"].tolist() == ["III", "III", "IV", "IV"]
    np.testing.assert_array_equal(both["score"], [0.1, 0.5, 0.1, 0.5])
    with pytest.raises(CorpusError, match="paired twice"):
        combine(third, third.assign(stage="IV"))
    assert len(combine(third.iloc[:0], fourth.iloc[:0])) == 0
    assert len(combine()) == 0
