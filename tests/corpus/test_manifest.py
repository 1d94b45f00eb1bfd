import json

import pandas as pd
import pytest

from endoalign.corpus.manifest import Manifest, frame_path, stored_path, stored_root
from endoalign.corpus.validation import CorpusError


def _write(folder, roots):
    Manifest(roots=roots, settings="0" * 64, counts={"cases": 1}).write(folder)


def test_comes_back_as_written(tmp_path):
    _write(tmp_path, {"a": "raw"})
    assert Manifest.load(tmp_path).roots == {"a": "raw"}
    assert json.loads((tmp_path / "corpus.json").read_text())["counts"] == {"cases": 1}


def test_one_root_takes_the_path_as_it_is(tmp_path):
    _write(tmp_path, {"a": "raw/frames"})
    assert frame_path(tmp_path, "c/1.jpg") == tmp_path / "raw/frames/c/1.jpg"
    assert frame_path(tmp_path, pd.Series({"path": "c/1.jpg"})) == tmp_path / "raw/frames/c/1.jpg"


def test_several_roots_are_told_by_the_name_before_the_path(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    _write(tmp_path, {"a": "raw", "b": str(elsewhere)})
    assert frame_path(tmp_path, "a/c/1.jpg") == tmp_path / "raw/c/1.jpg"
    assert frame_path(tmp_path, "b/c/1.jpg") == elsewhere / "c/1.jpg"
    with pytest.raises(CorpusError, match="no frame root of 'x'; roots: a, b"):
        frame_path(tmp_path, "x/1.jpg")


def test_a_new_manifest_is_read_anew(tmp_path):
    _write(tmp_path, {"a": "old"})
    assert frame_path(tmp_path, "1.jpg") == tmp_path / "old/1.jpg"
    (tmp_path / "corpus.json").unlink()
    _write(tmp_path, {"a": "new"})
    assert frame_path(tmp_path, "1.jpg") == tmp_path / "new/1.jpg"


def test_roots_inside_the_corpus_move_with_it(tmp_path):
    assert stored_root(tmp_path / "corpus" / "raw", tmp_path / "corpus") == "raw"
    assert stored_root(tmp_path / "data", tmp_path / "corpus") == str(tmp_path / "data")


def test_stored_paths():
    assert stored_path("c/1.jpg", "a", 1) == "c/1.jpg"
    assert stored_path("c/1.jpg", "a", 2) == "a/c/1.jpg"


def test_missing_and_wrong_manifests(tmp_path):
    with pytest.raises(CorpusError, match=r"corpus\.json is missing: notebook 00_corpus"):
        frame_path(tmp_path, "1.jpg")
    for content in ("", "{}", '{"roots": 3}', "[1"):
        (tmp_path / "corpus.json").write_text(content)
        with pytest.raises(CorpusError, match=r"corpus\.json is not as ingest writes it"):
            Manifest.load(tmp_path)
