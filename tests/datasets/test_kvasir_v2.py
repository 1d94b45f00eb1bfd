import shutil

import numpy as np
import pytest

from endoalign.datasets.kvasir_v2 import CARD
from endoalign.datasets.registry import load
from endoalign.world.layouts import kvasir_v2
from endoalign.world.layouts.pictures import LabelledPicture


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    pictures = [
        LabelledPicture(rng.integers(0, 256, (8, 9, 3), dtype=np.uint8), labels={"class": name})
        for name in kvasir_v2.CLASSES
        for _ in range(3)
    ]
    kvasir_v2.write(pictures, tmp_path, seed=0)
    return tmp_path


def test_reads_what_was_written(folder):
    contents = load("kvasir-v2", folder)
    assert contents.problems == ()
    counts = contents.counts()
    assert counts["frames"] == 24
    assert counts["classes"] == 8
    assert {counts[f"class={name}"] for name in kvasir_v2.CLASSES} == {3}
    exams = contents.cases["exam_type"].value_counts().to_dict()
    assert exams == {"colonoscopy": 15, "gastroscopy": 9}


def test_the_archive_may_be_the_folder_itself(folder):
    contents = load("kvasir-v2", folder / "kvasir-dataset-v2")
    assert len(contents.frames) == 24
    assert set(contents.frames["path"].str.count("/")) == {1}


def test_unknown_missing_and_repeated_classes(folder):
    base = folder / "kvasir-dataset-v2"
    (base / "esophagitis").rename(base / "oesophagitis ")
    (base / "polyps").rename(base / "polyps-old")
    shutil.rmtree(base / "normal-cecum")
    (base / "Normal_Cecum").mkdir()
    contents = load("kvasir-v2", folder)
    problems = {p.path: p.what for p in contents.problems}
    assert (
        "unknown class 'polyps-old' (nearest: 'polyps')" in problems["kvasir-dataset-v2/polyps-old"]
    )
    assert problems["kvasir-dataset-v2/Normal_Cecum"] == "a class folder without a picture"
    assert {"kvasir-dataset-v2/polyps", "kvasir-dataset-v2/normal-cecum"} <= set(problems)
    assert contents.counts()["class=esophagitis"] == 3


def test_nothing_of_it(tmp_path):
    with pytest.raises(ValueError, match="not the layout of Kvasir v2"):
        load("kvasir-v2", tmp_path)


def test_published_counts_add_up():
    assert sum(v for k, v in CARD.expected.items() if k.startswith("class=")) == 8000
