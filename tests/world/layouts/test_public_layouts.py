"""The published quirks of the layouts, seen in the files themselves and not through an adapter."""

import csv
import json
from collections import Counter

import numpy as np
import pytest
from PIL import Image

from endoalign.world.layouts import (
    endoreport100,
    endovl,
    gastrovision,
    hyperkvasir,
    kvasir_v2,
    limuc,
)
from endoalign.world.layouts.ids import label_of, uuids
from endoalign.world.layouts.mp4 import write_mp4
from endoalign.world.layouts.pictures import LabelledPicture


def _picture(rng, case_id="", **labels):
    rgb = rng.integers(0, 256, (8, 10, 3), dtype=np.uint8)
    return LabelledPicture(rgb, labels=labels, case_id=case_id)


def _files(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def _limuc(rng):
    return [_picture(rng, f"p{k}", mayo=str(g)) for k in range(5) for g in range(4)]


def _classes(rng, module, each):
    return [_picture(rng, **{"class": name}) for name in module.CLASSES for _ in range(each)]


WRITES = {
    "limuc": lambda rng, to: limuc.write(_limuc(rng), to, seed=1),
    "hyperkvasir": lambda rng, to: hyperkvasir.write(_classes(rng, hyperkvasir, 2), to, seed=1),
    "gastrovision": lambda rng, to: gastrovision.write(_classes(rng, gastrovision, 2), to, seed=1),
    "kvasir_v2": lambda rng, to: kvasir_v2.write(_classes(rng, kvasir_v2, 2), to, seed=1),
    "endovl": lambda rng, to: endovl.write([_picture(rng) for _ in range(9)], to, seed=1),
}


@pytest.mark.parametrize("name", WRITES)
def test_the_same_seed_writes_the_same_bytes(tmp_path, name):
    for run in ("a", "b"):
        WRITES[name](np.random.default_rng(5), tmp_path / run)
    files = _files(tmp_path / "a")
    assert files == _files(tmp_path / "b")
    assert files
    assert not [path for path in files if path.name.startswith(".")]


def test_limuc_as_published(tmp_path):
    limuc.write(_limuc(np.random.default_rng(0)), tmp_path, seed=1)
    pictures = sorted(tmp_path.glob("*/Mayo */UC_patient_*_*.bmp"))
    assert len(pictures) == 20
    assert Image.open(pictures[0]).size == (10, 8)
    assert max(Counter(path.name for path in pictures).values()) == 2
    folds = sorted((tmp_path / "cross_validation_folds_train_val_info").iterdir())
    assert [fold.name for fold in folds] == [f"fold_{k}" for k in range(10)]
    for fold in folds:
        patients = {}
        for part in ("train", "val"):
            content = json.loads((fold / f"{part}.json").read_text())
            assert list(content) == [f"Mayo {grade}" for grade in range(4)]
            names = [name for of_grade in content.values() for name in of_grade]
            patients[part] = {name.rsplit("_", 1)[0] for name in names}
        assert not patients["train"] & patients["val"]
    test = {path.name.rsplit("_", 1)[0] for path in (tmp_path / "test_set").rglob("*.bmp")}
    train = {path.name.rsplit("_", 1)[0] for path in tmp_path.glob("train*/*/*.bmp")}
    assert test
    assert not test & train


def test_limuc_needs_two_patients_and_grades(tmp_path):
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="2 or more are needed, got 1"):
        limuc.write([_picture(rng, "a", mayo="0")], tmp_path, seed=0)
    with pytest.raises(ValueError, match="label mayo is '4'"):
        limuc.write([_picture(rng, "a", mayo="0"), _picture(rng, "b", mayo="4")], tmp_path, seed=0)


def test_hyperkvasir_as_published(tmp_path):
    hyperkvasir.write(_classes(np.random.default_rng(0), hyperkvasir, 5), tmp_path, seed=0)
    with (tmp_path / "labeled-images/image-labels.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["Video file", "Organ", "Finding", "Classification"]
    assert not any(row["Video file"].endswith(".jpg") for row in rows)
    for count in (2, 5):
        with (tmp_path / f"official_splits/{count}_fold_split.csv").open(newline="") as stream:
            folds = list(csv.DictReader(stream, delimiter=";"))
        assert {row["file-name"] for row in folds} == {f"{row['Video file']}.jpg" for row in rows}
        in_part = Counter((row["class-name"], row["split-index"]) for row in folds)
        assert len(in_part) == 23 * count
        assert max(in_part.values()) - min(in_part.values()) <= 1


def test_gastrovision_as_published(tmp_path):
    gastrovision.write(_classes(np.random.default_rng(0), gastrovision, 30), tmp_path, seed=0)
    assert b"\r" not in (tmp_path / "Split/train.csv").read_bytes()
    for name in ("GastroVision_metadata.csv", "Split/validate.csv", "Split/test.csv"):
        content = (tmp_path / name).read_bytes()
        assert content.count(b"\r\n") == content.count(b"\n") > 1
    with (tmp_path / "GastroVision_metadata.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 27 * 30
    for row in rows:
        path = tmp_path / row["Class"] / row["Filename"]
        assert round(1000 * float(row["Size (kB)"])) == path.stat().st_size
    parts = {
        p: len((tmp_path / f"Split/{p}.csv").read_text().splitlines()) - 1
        for p in ("train", "test")
    }
    assert parts == {"train": 27 * 18, "test": 27 * 6}


def test_gastrovision_leaves_small_classes_out_of_the_split(tmp_path):
    gastrovision.write(_classes(np.random.default_rng(0), gastrovision, 2), tmp_path, seed=0)
    assert (tmp_path / "Split/train.csv").read_text() == "Filename,Class\n"


def test_release_tables_quote_what_they_must(tmp_path):
    rng = np.random.default_rng(0)
    text = 'One, "two"\nthree'
    picture = LabelledPicture(_picture(rng).rgb, case_id="a", texts={"en": text})
    endoreport100.write([picture], tmp_path, reports={"a": text})
    with (tmp_path / "lesions.csv").open(newline="") as stream:
        assert next(csv.DictReader(stream))["Finding sentence"] == text
    with (tmp_path / "reports.csv").open(newline="") as stream:
        assert next(csv.DictReader(stream))["Report"] == text


def test_videos_are_the_same_for_the_same_frames(tmp_path):
    frames = np.random.default_rng(0).integers(0, 256, (5, 16, 32, 3), dtype=np.uint8)
    for run in ("a", "b"):
        write_mp4(frames, tmp_path / f"{run}.mp4")
    content = (tmp_path / "a.mp4").read_bytes()
    assert content == (tmp_path / "b.mp4").read_bytes()
    assert content.index(b"moov") < content.index(b"mdat")
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    "frames",
    [
        np.zeros((0, 16, 16, 3), np.uint8),
        np.zeros((2, 16, 16, 3), np.float32),
        np.zeros((16, 16, 3), np.uint8),
        np.zeros((2, 16, 16, 4), np.uint8),
        np.zeros((2, 15, 16, 3), np.uint8),
    ],
    ids=["none", "float", "one picture", "four channels", "odd height"],
)
def test_frames_that_make_no_video(tmp_path, frames):
    with pytest.raises(ValueError, match=r"not uint8|even sides"):
        write_mp4(frames, tmp_path / "v.mp4")
    assert not list(tmp_path.iterdir())


def test_names_and_labels():
    names = uuids(50, np.random.default_rng(0))
    assert len(set(names)) == 50
    assert all(name[14] == "4" and len(name) == 36 for name in names)
    picture = _picture(np.random.default_rng(0), paris="0-Is")
    assert label_of(picture, "paris", ("0-Is",)) == "0-Is"
    with pytest.raises(ValueError, match=r"label mayo is ''; known: 0, 1"):
        label_of(picture, "mayo", ("0", "1"))
