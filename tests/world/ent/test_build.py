import json

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from endoalign.datasets.registry import load
from endoalign.world.ent import build
from endoalign.world.ent.build import build_ent_world
from endoalign.world.ent.gallery import ent_gallery
from endoalign.world.ent.labelled import ent_pictures
from endoalign.world.ent.settings import EntSettings

SETTINGS = EntSettings(patients=8, frame_height=32, pictures_per_examination=4)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ent")
    seen = []
    assert build_ent_world(
        SETTINGS, folder, seed=2, progress=lambda done, total: seen.append((done, total))
    )
    assert seen == [(k + 1, len(seen)) for k in range(len(seen))]
    return folder


def test_truth_files_and_pictures_agree(world):
    truth = pd.read_parquet(world / "truth" / "pictures.parquet")
    pictures = list(ent_pictures(SETTINGS, seed=2))
    assert list(truth["picture_id"]) == [p.picture_id for p in pictures]
    for row, picture in zip(truth.itertuples(), pictures, strict=True):
        part = "PublicTest" if row.split == "test" else "train/imgs"
        file = world / "challenge" / part / row.challenge_file
        assert np.array_equal(np.asarray(Image.open(file)), picture.pixels)
        assert tuple(row.findings) == picture.findings


def test_the_adapter_reads_both_releases(world):
    truth = pd.read_parquet(world / "truth" / "pictures.parquet")
    challenge = load("entrep", world / "challenge")
    assert challenge.problems == ()
    assert len(challenge.frames) == len(truth)
    assert challenge.counts()["labelled"] == (truth["split"] != "test").sum()
    earlier = load("entrep", world / "earlier")
    assert [p.what.split(" ", 1)[1] for p in earlier.problems if "case" not in p.what] == []
    assert earlier.cases["case_id"].nunique() == truth["exam_id"].nunique()
    told = earlier.texts.set_index(["key", "language"])["text"]
    labels = earlier.labels[earlier.labels["task"] == "class"].set_index("frame_id")["label"]
    for row in truth.to_dict("records"):
        key = f"entrep/{row['earlier_file'].removesuffix('.png').lower()}"
        assert told[key, "vi"] == row["description"]
        assert told[key, "en"] == row["description_en"]
        assert labels[key] == row["class"]


def test_answers_of_the_test_are_apart(world):
    answers = json.loads((world / "truth" / "cls.json").read_text("utf-8"))
    asked = (world / "challenge" / "cls.csv").read_text("utf-8").split()
    assert list(answers) == asked
    assert not {p.name for p in (world / "challenge" / "PublicTest").iterdir()} ^ set(asked)


def test_the_same_set_is_not_made_twice(world, monkeypatch):
    assert not build_ent_world(SETTINGS, world, seed=2)
    before = {p: p.read_bytes() for p in world.rglob("*") if p.is_file()}
    monkeypatch.setattr(build, "_code_digest", lambda: "other")
    assert build_ent_world(SETTINGS, world, seed=2)
    after = {p: p.read_bytes() for p in world.rglob("*") if p.is_file()}
    changed = {p.name for p in before if before[p] != after[p]}
    assert set(before) == set(after)
    assert changed == {build.MANIFEST}


def test_a_folder_of_another_is_left_alone(tmp_path):
    (tmp_path / "truth").mkdir()
    (tmp_path / "truth" / "mine.txt").write_text("kept")
    with pytest.raises(FileExistsError, match="not made by an ENT world"):
        build_ent_world(SETTINGS, tmp_path, seed=2)
    assert (tmp_path / "truth" / "mine.txt").read_text() == "kept"


def test_an_unfinished_set_is_made_anew(tmp_path, monkeypatch):
    def fail(*args):
        raise OSError("disk full")

    monkeypatch.setattr(build, "_write", fail)
    small = EntSettings(patients=1, frame_height=32, pictures_per_examination=1)
    with pytest.raises(OSError, match="disk full"):
        build_ent_world(small, tmp_path, seed=2)
    assert (tmp_path / build.UNFINISHED).exists()
    monkeypatch.undo()
    assert build_ent_world(small, tmp_path, seed=2)
    assert not (tmp_path / build.UNFINISHED).exists()


def test_the_gallery_shows_each_finding_once():
    pictures = list(ent_gallery(32, seed=1))
    assert len({(name, finding) for name, finding, _ in pictures}) == len(pictures) == 36
    assert len({picture.tobytes() for _, _, picture in pictures}) == 36
