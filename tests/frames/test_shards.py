import os

import pytest

from endoalign.frames.shards import SCHEMA, FileKey, measured_keys, read_table, write_part


def _row(name, size=1, reason=None):
    return {"file": name, "size": size, "modified_ns": 7, "reason": reason, "width": 3}


def test_rows_come_back_once_and_sorted(tmp_path):
    write_part([_row("b"), _row("a", reason="empty file")], tmp_path)
    write_part([_row("c"), _row("b")], tmp_path)
    keys = {FileKey(name, 1, 7) for name in "abc"}
    assert measured_keys(tmp_path) == keys
    table = read_table(tmp_path, keys)
    assert table.schema == SCHEMA
    assert table.column("file").to_pylist() == ["a", "b", "c"]
    assert table.column("reason").to_pylist() == ["empty file", None, None]
    assert table.column("height").to_pylist() == [None, None, None]


def test_only_wanted_versions_of_a_file_are_read(tmp_path):
    write_part([_row("a", size=1)], tmp_path)
    write_part([_row("a", size=2)], tmp_path)
    assert read_table(tmp_path, {FileKey("a", 2, 7)}).column("size").to_pylist() == [2]
    assert read_table(tmp_path, {FileKey("a", 3, 7)}).num_rows == 0


def test_empty_store(tmp_path):
    assert measured_keys(tmp_path) == set()
    assert read_table(tmp_path, {FileKey("a", 1, 7)}).num_rows == 0


def test_the_same_part_is_written_to_the_same_name_and_leaves_nothing_else(tmp_path):
    for _ in range(2):
        write_part([_row("a")], tmp_path)
    assert len(list(tmp_path.iterdir())) == 1


def test_half_written_parts_are_not_read(tmp_path):
    write_part([_row("a")], tmp_path)
    (tmp_path / "part-0.99.tmp").write_bytes(b"half")
    assert measured_keys(tmp_path) == {FileKey("a", 1, 7)}


def test_key_changes_with_the_file(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"1")
    before = FileKey.of(path)
    assert FileKey.of(path) == before
    path.write_bytes(b"12")
    assert FileKey.of(path) != before
    assert FileKey.of(tmp_path / "missing") == FileKey(str(tmp_path / "missing"), -1, -1)


def test_what_the_disk_did_not_give_is_tried_again_and_replaced(tmp_path):
    for number, reason in enumerate(["cannot read file: Input/output error", None]):
        write_part([_row("a", reason=reason), _row(f"other{number}")], tmp_path)
        newest = max(tmp_path.iterdir(), key=lambda part: part.stat().st_mtime_ns)
        os.utime(newest, ns=(number + 1, number + 1))
        assert (FileKey("a", 1, 7) in measured_keys(tmp_path)) == (reason is None)
    assert read_table(tmp_path, {FileKey("a", 1, 7)}).column("reason").to_pylist() == [None]


@pytest.mark.parametrize("column", ["file", "size", "modified_ns"])
def test_key_columns_are_in_the_schema(column):
    assert column in SCHEMA.names


def test_a_part_that_the_disk_has_damaged_is_removed_and_counts_as_missing(tmp_path):
    (tmp_path / "part-00.parquet").write_bytes(b"PAR1 cut short")
    assert measured_keys(tmp_path) == set()
    assert not list(tmp_path.iterdir())
