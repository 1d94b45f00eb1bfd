import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from endoalign.frames import scan as scan_module
from endoalign.frames.scan import ScanError, scan

_COUNT = 150


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """150 small frames, of which three are bad."""
    root = tmp_path_factory.mktemp("frames")
    rng = np.random.default_rng(0)
    for k in range(_COUNT):
        stream = io.BytesIO()
        rgb = rng.integers(0, 200, (20, 24, 3), dtype=np.uint8).repeat(2, 0).repeat(2, 1)
        Image.fromarray(rgb).save(stream, "JPEG")
        data = {7: b"", 70: stream.getvalue()[:200], 130: b"text"}.get(k, stream.getvalue())
        (root / f"{k:03d}.jpg").write_bytes(data)
    return root


def _files(folder):
    return sorted(folder.glob("*.jpg"))


def test_every_file_has_a_row(folder, tmp_path):
    seen = []
    result = scan(_files(folder), tmp_path, progress=lambda done, total: seen.append((done, total)))
    assert result.measured == result.table.num_rows == _COUNT
    rows = {Path(row["file"]).name: row for row in result.table.to_pylist()}
    assert rows["007.jpg"]["reason"] == "empty file"
    assert rows["070.jpg"]["reason"].startswith("corrupt or truncated")
    assert rows["130.jpg"]["reason"] == "not an image"
    assert [row["width"] for row in rows.values()].count(None) == 3
    assert rows["000.jpg"]["width"] == 48
    assert rows["000.jpg"]["height"] == 40
    assert seen[0] == (0, _COUNT)
    assert seen[-1] == (_COUNT, _COUNT)
    assert seen == sorted(seen)


def test_the_table_does_not_depend_on_processes_or_order(folder, tmp_path):
    one = scan(_files(folder), tmp_path / "one")
    two = scan(_files(folder)[::-1], tmp_path / "two", processes=2)
    assert one.table.equals(two.table)


def test_a_second_scan_measures_only_what_changed(folder, tmp_path):
    files = _files(folder)
    extra = tmp_path / "extra.jpg"
    extra.write_bytes(files[0].read_bytes())
    scan(files, tmp_path / "work")
    assert scan(files, tmp_path / "work").measured == 0
    assert scan([*files, extra], tmp_path / "work").measured == 1
    extra.write_bytes(files[1].read_bytes())
    os.utime(extra, ns=(1, 1))
    result = scan([extra], tmp_path / "work")
    assert (result.measured, result.table.num_rows) == (1, 1)


def test_another_limit_is_another_scan(folder, tmp_path):
    files = _files(folder)[:3]
    assert scan(files, tmp_path).table.column("reason").to_pylist() == [None] * 3
    refused = scan(files, tmp_path, max_pixels=100)
    assert refused.measured == 3
    assert all(
        "exceed the limit" in reason for reason in refused.table.column("reason").to_pylist()
    )


def test_a_file_that_vanished_is_a_row(tmp_path):
    table = scan([tmp_path / "gone.jpg"], tmp_path / "work").table
    assert table.column("reason").to_pylist() == ["cannot read file: No such file or directory"]


def test_no_files_and_no_processes(tmp_path):
    assert scan([], tmp_path).table.num_rows == 0
    with pytest.raises(ValueError, match="not 1 or more"):
        scan([], tmp_path, processes=0)


_KILLED = """
import os, signal, sys
from pathlib import Path
from endoalign.frames import scan
scan.SHARD = 16
def stop(done, total):
    if done >= total // 2:
        os.kill(os.getpid(), signal.SIGKILL)
if __name__ == "__main__":
    files = sorted(Path(sys.argv[1]).glob("*.jpg"))
    scan.scan(files, Path(sys.argv[2]), processes=int(sys.argv[3]), progress=stop)
"""


@pytest.mark.parametrize("processes", [1, 2])
def test_killed_half_way_and_restarted_gives_the_same_table(folder, tmp_path, processes):
    script = tmp_path / "killed.py"
    script.write_text(_KILLED)
    library = str(Path(scan_module.__file__).parents[2])
    command = [sys.executable, str(script), str(folder), str(tmp_path / "work"), str(processes)]
    ended = subprocess.run(command, env={**os.environ, "PYTHONPATH": library}, check=False)
    assert ended.returncode == -signal.SIGKILL
    if processes > 1:
        time.sleep(1)  # the orphaned workers notice that their queue is gone
    restarted = scan(_files(folder), tmp_path / "work")
    assert 0 < restarted.measured <= _COUNT // 2 + 16
    assert restarted.table.equals(scan(_files(folder), tmp_path / "whole").table)


def test_a_killed_worker_is_one_clear_error(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(scan_module, "_measure_shard", _die)
    with pytest.raises(ScanError, match="scan again to go on"):
        scan(_files(folder), tmp_path, processes=2)


def _die(shard, folder, max_pixels):
    os.kill(os.getpid(), signal.SIGKILL)
