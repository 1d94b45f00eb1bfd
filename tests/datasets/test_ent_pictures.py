"""ENT pictures from an adapter to a divided table: groups, leaks, and what is held out."""

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from endoalign.datasets.ent_pictures import (
    divided,
    leaked,
    measured_pictures,
    with_held_out,
    write_pictures,
)
from endoalign.datasets.ent_submission_names import file_rows
from endoalign.datasets.otoscopy import OTOSCOPY, read

RNG = np.random.default_rng(0)


def picture(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    coarse = RNG.integers(0, 255, (6, 8, 3), dtype=np.uint8)
    Image.fromarray(coarse).resize((64, 48)).save(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("otoscopy")
    for label in OTOSCOPY.names:
        for part, count in (("train", 6), ("test", 2)):
            for k in range(count):
                picture(root / part / label / f"{part}{label[0]}{k}.jpg")
    original = root / "train" / "Normal" / "trainN0.jpg"
    (root / "test" / "Normal" / "again.jpg").write_bytes(original.read_bytes())
    return root


@pytest.fixture(scope="module")
def pictures(folder, tmp_path_factory):
    work = tmp_path_factory.mktemp("work")
    return measured_pictures(read(folder), work, pattern="^(?P<examination>(?!))", max_distance=4)


def test_every_labelled_picture_is_there_with_its_measures(pictures, folder):
    assert len(pictures) == 33
    assert pictures["part"].value_counts().to_dict() == {"train": 24, "test": 9}
    assert (pictures["width"] == 64).all() and (pictures["description"] == "").all()
    assert all((folder / path).is_file() for path in pictures["path"])


def test_faults_of_the_folder_are_told(tmp_path, capsys):
    picture(tmp_path / "train" / "Normal" / "a.jpg")
    measured_pictures(read(tmp_path), tmp_path / "work")
    assert "faults 4, the first of train/Chronic otitis media: no picture of the class" in (
        capsys.readouterr().out
    )


def test_a_copy_in_the_test_is_told(pictures):
    same_file, alike = leaked(pictures)
    assert same_file == 1 and alike >= 1


def test_official_keeps_the_leak_and_disjoint_takes_it_out_of_training(pictures):
    official = divided(pictures, "official", validation_share=0.2, seed=0)
    disjoint = divided(pictures, "disjoint", validation_share=0.2, seed=0)
    test = pictures.loc[pictures["part"] == "test", "picture_id"]
    for table in (official, disjoint):
        assert set(table.loc[table["split"] == "test", "picture_id"]) == set(test)
        assert table.groupby("group")["split"].nunique().max() == 1
        assert {"train", "validation", "test"} == set(table["split"])
    assert len(official) == len(pictures)
    assert "otoscopy/train/trainN0" not in set(disjoint["picture_id"])
    held = disjoint["split"] == "test"
    assert not set(disjoint.loc[held, "sha256"]) & set(disjoint.loc[~held, "sha256"])


def test_grouped_divides_anew_and_keeps_groups(pictures):
    table = divided(pictures, "grouped", validation_share=0.2, test_share=0.3, seed=0)
    assert len(table) == len(pictures)
    assert table.groupby("group")["split"].nunique().max() == 1


def test_without_a_published_test_there_is_no_official(pictures):
    with pytest.raises(ValueError, match="grouped"):
        divided(pictures.assign(part=""), "official", validation_share=0.1, seed=0)


def test_held_out_by_the_bytes_of_files(pictures, folder):
    file = folder / "train" / "Normal" / "trainN0.jpg"
    held = with_held_out(pictures, [file])
    named = set(held.loc[held["part"] == "test", "picture_id"])
    assert named == {"otoscopy/train/trainN0", "otoscopy/test/again"}


def test_rows_of_a_challenge_s_files(pictures, folder, tmp_path):
    copy = tmp_path / "random-name.jpg"
    copy.write_bytes((folder / pictures["path"][5]).read_bytes())
    found = file_rows(pictures, tmp_path)
    assert pictures["sha256"][found["random-name.jpg"]] == pictures["sha256"][5]
    picture(tmp_path / "foreign.jpg")
    with pytest.raises(ValueError, match=r"foreign\.jpg"):
        file_rows(pictures, tmp_path)


def test_the_written_table_is_read_as_a_corpus(pictures, folder, tmp_path):
    from endoalign.corpus.pixels import open_pixels

    write_pictures(pictures, tmp_path, folder)
    pd.testing.assert_frame_equal(
        pd.read_parquet(tmp_path / "pictures.parquet"), pictures, check_dtype=False
    )
    assert open_pixels(tmp_path, pictures, 16).read([0, 3]).shape == (2, 3, 16, 16)


def test_no_class_is_an_error(folder, tmp_path):
    from dataclasses import replace

    contents = read(folder)
    with pytest.raises(ValueError, match="has a class"):
        measured_pictures(replace(contents, labels=contents.labels.iloc[:0]), tmp_path)
