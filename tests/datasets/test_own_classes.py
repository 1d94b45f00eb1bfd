"""Pictures in folders of classes that nobody has named before."""

import numpy as np
import pytest
from PIL import Image

from endoalign.datasets.registry import load


def picture(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.random.default_rng(len(str(path))).integers(0, 256, (6, 8, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(path)


def test_a_folder_a_class(tmp_path):
    for name in ("left tonsil/p1_1.jpg", "left tonsil/p1_2.PNG", "uvula/p1_1.jpg"):
        picture(tmp_path / name)
    found = load("own-classes", tmp_path)
    assert found.problems == ()
    assert found.labels["label"].tolist() == ["left tonsil", "left tonsil", "uvula"]
    assert found.frames["frame_id"].is_unique  # p1_1 stands in two classes
    assert found.frames["path"].tolist() == [
        "left tonsil/p1_1.jpg",
        "left tonsil/p1_2.PNG",
        "uvula/p1_1.jpg",
    ]
    assert found.splits.empty
    assert set(found.cases["exam_type"]) == {"ent"}


def test_a_test_that_is_set_apart(tmp_path):
    for name in ("Train/a/1.jpg", "Train/b/1.jpg", "test/a/1.jpg"):
        picture(tmp_path / name)
    found = load("own-classes", tmp_path)
    assert found.labels["label"].tolist() == ["a", "b", "a"]
    assert found.splits["part"].tolist() == ["train", "train", "test"]
    assert found.cases["split"].tolist() == ["train", "train", "test"]


def test_a_class_may_be_called_test(tmp_path):
    for name in ("test/1.jpg", "tone/1.jpg"):
        picture(tmp_path / name)
    assert load("own-classes", tmp_path).labels["label"].tolist() == ["test", "tone"]


def test_what_is_left_out_is_told(tmp_path):
    for name in ("a/1.jpg", "a/1.png", "a/patient/2.jpg", "loose.jpg"):
        picture(tmp_path / name)
    (tmp_path / "b").mkdir()
    told = {problem.path: problem.what for problem in load("own-classes", tmp_path).problems}
    assert told == {
        "a/1.png": "has the id of a/1.jpg and is left out",
        "a/patient": "a folder in that of a class; left out",
        "b": "a class folder without a picture",
        "loose.jpg": "in no folder of a class; left out",
    }


def test_parts_that_are_neither_are_told(tmp_path):
    for name in ("train/a/1.jpg", "test/a/1.jpg", "val/a/1.jpg"):
        picture(tmp_path / name)
    found = load("own-classes", tmp_path)
    assert [problem.path for problem in found.problems] == ["val"]
    assert len(found.frames) == 2


def test_names_of_classes_stay_as_they_are(tmp_path):
    for name in ("tonsil left/1.jpg", "tonsil-left/1.jpg"):
        picture(tmp_path / name)
    labels = load("own-classes", tmp_path).labels["label"].tolist()
    assert labels == ["tonsil left", "tonsil-left"]


def test_nothing_to_read(tmp_path):
    with pytest.raises(ValueError, match="no such folder"):
        load("own-classes", tmp_path / "nowhere")
    picture(tmp_path / "loose.jpg")
    with pytest.raises(ValueError, match="not the layout of Pictures in folders of your own"):
        load("own-classes", tmp_path)
