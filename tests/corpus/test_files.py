import pandas as pd
import pytest
from pyarrow import ArrowInvalid

from endoalign.corpus.files import read_parquet, write_parquet, write_text
from endoalign.corpus.validation import CorpusError


def test_tables_and_texts_come_back_and_leave_nothing_else(tmp_path):
    table = pd.DataFrame({"a": [1, 2], "b": ["x", None]})
    path = tmp_path / "new" / "t.parquet"
    write_parquet(table, path)
    pd.testing.assert_frame_equal(read_parquet(path, "nobody makes it"), table)
    write_text("é\n", tmp_path / "new" / "t.txt")
    assert (tmp_path / "new" / "t.txt").read_text(encoding="utf-8") == "é\n"
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["t.parquet", "t.txt"]


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "t.parquet"
    write_parquet(pd.DataFrame({"a": [1]}), path)
    with pytest.raises(ArrowInvalid):
        write_parquet(pd.DataFrame({"a": [object()]}), path)
    assert read_parquet(path, "nobody makes it")["a"].tolist() == [1]


def test_missing_and_damaged(tmp_path):
    with pytest.raises(CorpusError, match=r"t\.parquet is missing: someone makes it"):
        read_parquet(tmp_path / "t.parquet", "someone makes it")
    (tmp_path / "t.parquet").write_bytes(b"PAR1xxxxPAR1")
    with pytest.raises(CorpusError, match=r"no sound Parquet file .*: someone makes it"):
        read_parquet(tmp_path / "t.parquet", "someone makes it")
