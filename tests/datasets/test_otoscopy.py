import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from endoalign.datasets.check import check
from endoalign.datasets.otoscopy import CARD, OTOSCOPY
from endoalign.datasets.registry import load


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    for part, count in (("train", 3), ("test", 2)):
        for name in OTOSCOPY.names:
            (tmp_path / part / name).mkdir(parents=True)
            for k in range(count):
                pixels = rng.integers(0, 256, (6, 8, 3), dtype=np.uint8)
                Image.fromarray(pixels).save(tmp_path / part / name / f"{name[0].lower()}{k}.jpg")
    return tmp_path


def test_reads_both_parts(folder):
    found = load("otoscopy", folder)
    assert found.problems == ()
    counts = found.counts()
    assert (counts["frames"], counts["train"], counts["test"]) == (20, 12, 8)
    assert {counts[f"class={name}"] for name in OTOSCOPY.names} == {5}
    assert found.frames["frame_id"].is_unique  # names repeat between the parts
    assert set(found.splits["part"]) == {"train", "test"}
    assert set(found.cases["exam_type"]) == {"ent"}


def test_other_names_of_parts_and_classes(folder):
    (folder / "train").rename(folder / "Training-validation")
    (folder / "test").rename(folder / "TESTING")
    (folder / "TESTING" / "Normal").rename(folder / "TESTING" / "normal")
    found = load("otoscopy", folder)
    assert found.problems == ()
    assert found.counts()["frames"] == 20


def test_unknown_missing_and_empty(folder):
    (folder / "train" / "Normal").rename(folder / "train" / "Normals")
    shutil.rmtree(folder / "test" / "Earwax plug")
    (folder / "test" / "Earwax plug").mkdir()
    told = {p.path: p.what for p in load("otoscopy", folder).problems}
    assert "unknown class 'Normals' (nearest: 'Normal')" in told["train/Normals"]
    assert set(told) == {"train/Normals", "train/Normal", "test/Earwax plug"}


def test_one_part_alone(folder):
    shutil.rmtree(folder / "test")
    found = load("otoscopy", folder)
    assert [(p.kind, p.path) for p in found.problems] == [("missing", "test")]
    assert found.counts()["frames"] == 12
    shutil.rmtree(folder / "train")
    with pytest.raises(ValueError, match="not the layout of Ear imagery database"):
        load("otoscopy", folder)


def test_published_counts_add_up():
    assert sum(v for k, v in CARD.expected.items() if k.startswith("class=")) == 880 == 720 + 160


@pytest.mark.real
def test_the_real_sample():
    root = os.environ.get("ENDOALIGN_REAL_DATA")
    if root is None:
        pytest.skip("ENDOALIGN_REAL_DATA is not set: no real otoscopy to read")
    result = check("otoscopy", Path(root) / "otoscopy")
    assert result.problems == ()
    assert result.contents.counts() == {
        "frames": 520,
        "train": 400,
        "test": 120,
        **{f"class={name}": 130 for name in OTOSCOPY.names},
    }
