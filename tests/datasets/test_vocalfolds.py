import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from endoalign.datasets.check import check
from endoalign.datasets.registry import load
from endoalign.datasets.vocalfolds import CLASSES, read_label_map


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    for number in range(1, 5):
        inside = Path(f"patient{1 + number // 3}") / f"seq{number}"
        for part in ("img", "annot"):
            (tmp_path / part / inside).mkdir(parents=True)
        for k in (2, 10):
            pixels = rng.integers(0, 256, (6, 8, 3), dtype=np.uint8)
            Image.fromarray(pixels).save(tmp_path / "img" / inside / f"{k:04d}.png")
            values = np.full((6, 8), number, dtype=np.uint8)
            values[0, 0] = k % 4
            Image.fromarray(values).save(tmp_path / "annot" / inside / f"{k:04d}.png")
    return tmp_path


def test_reads_sequences_and_label_maps(folder):
    found = load("vocalfolds", folder)
    assert found.problems == ()
    assert found.counts() == {"frames": 8, "masks": 8, "cases": 4, "patients": 2}
    assert found.frames["index"].tolist() == [0, 1] * 4
    first = found.frames["frame_id"][0]
    assert first == "vocalfolds/seq1/0002"
    visible = found.labels[found.labels["frame_id"] == first]["label"].tolist()
    assert visible == ["vocal folds", "other tissue"]  # values 1 and 2
    for frame_id, path in found.masks.itertuples(index=False):
        values = set(np.unique(read_label_map(folder / path)))
        shown = set(found.labels[found.labels["frame_id"] == frame_id]["label"])
        assert shown == {CLASSES[v] for v in values if v > 0}


def test_each_patient_is_held_out_once(folder):
    found = load("vocalfolds", folder)
    frames = found.splits.merge(found.frames, on="frame_id").merge(found.cases, on="case_id")
    assert len(found.splits) == 2 * 8
    for fold, rows in frames.groupby("fold"):
        test = rows[rows["part"] == "test"]["patient_id"]
        assert set(test) == {f"vocalfolds/{fold}"}
        assert set(test).isdisjoint(rows[rows["part"] == "train"]["patient_id"])


def test_unusable_label_maps_are_left_out(folder):
    maps = sorted((folder / "annot").rglob("*.png"))
    Image.fromarray(np.full((6, 8), 9, np.uint8)).save(maps[0])
    Image.fromarray(np.zeros((3, 3), np.uint8)).save(maps[1])
    maps[2].write_bytes(b"no picture")
    maps[3].unlink()
    (folder / "annot" / "patient1" / "seq1" / "extra.png").write_bytes(maps[4].read_bytes())
    found = load("vocalfolds", folder)
    assert len(found.frames) == 8
    assert len(found.masks) == 4
    told = {p.path: p.what for p in found.problems}
    relative = [path.relative_to(folder).as_posix() for path in maps]
    assert "value 9 is no class; they are 0 to 6" in told[relative[0]]
    assert "3 x 3" in told[relative[1]]
    assert relative[2] in told
    assert len(told) == 5


def test_nothing_of_it(tmp_path):
    with pytest.raises(ValueError, match="not the layout of Vocalfolds"):
        load("vocalfolds", tmp_path)


@pytest.mark.real
def test_the_real_sample():
    root = os.environ.get("ENDOALIGN_REAL_DATA")
    if root is None:
        pytest.skip("ENDOALIGN_REAL_DATA is not set: no real vocal folds to read")
    result = check("vocalfolds", Path(root) / "vocalfolds")
    assert result.problems == ()
    assert result.contents.counts() == {"frames": 48, "masks": 48, "cases": 8, "patients": 2}
    assert set(result.contents.labels["label"]) == set(CLASSES) - {"void"}
