import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from endoalign.datasets.check import check, report
from endoalign.datasets.limuc import CARD
from endoalign.datasets.registry import load
from endoalign.datasets.shared_patients import shared_patients
from endoalign.world.layouts import limuc
from endoalign.world.layouts.pictures import LabelledPicture

FOLDS = "cross_validation_folds_train_val_info"


def _pictures(patients=8, each=6, seed=0):
    rng = np.random.default_rng(seed)
    return [
        LabelledPicture(
            rng.integers(0, 256, (6, 8, 3), dtype=np.uint8),
            labels={"mayo": str((p + k) % 4)},
            case_id=f"p{p:02d}",
        )
        for p in range(patients)
        for k in range(each)
    ]


@pytest.fixture
def folder(tmp_path):
    limuc.write(_pictures(), tmp_path, seed=1, folds=3)
    return tmp_path


def _problems(folder):
    return {problem.path: problem.what for problem in load("limuc", folder).problems}


def test_reads_what_was_written(folder):
    contents = load("limuc", folder)
    assert contents.problems == ()
    assert len(contents.frames) == len(contents.labels) == 48
    assert contents.cases["patient_id"].nunique() == 8
    counts = contents.counts()
    assert [counts[f"mayo={grade}"] for grade in range(4)] == [12] * 4
    assert counts["folds"] == 3
    assert counts["test"] == 6
    assert counts["train_and_validation"] == 42
    label = contents.labels.set_index("frame_id")["label"]
    pixels = {picture.rgb.tobytes(): picture for picture in _pictures()}
    for row in contents.frames.itertuples():
        picture = pixels[np.asarray(Image.open(folder / row.path)).tobytes()]
        assert label[row.frame_id] == picture.labels["mayo"]
        assert row.case_id == f"limuc/UC_patient_{int(picture.case_id[1:]) + 1}"


def test_one_file_name_stands_under_two_grades_and_both_pictures_are_kept(folder):
    frames = load("limuc", folder).frames
    stems = frames["frame_id"].str.split("/").str[-1]
    assert frames["frame_id"].is_unique
    assert stems.duplicated().sum() == 1


def test_frames_of_a_patient_are_numbered_as_a_person_counts(tmp_path):
    limuc.write(_pictures(patients=2, each=12), tmp_path, seed=0, folds=1)
    frames = load("limuc", tmp_path).frames
    for _, of_patient in frames.groupby("case_id"):
        numbers = of_patient["frame_id"].str.rsplit("_", n=1).str[1].astype(int)
        assert of_patient["index"].tolist() == list(range(12))
        assert numbers.is_monotonic_increasing


def test_folds_divide_patients_and_validate_each_once(folder):
    contents = load("limuc", folder)
    splits = contents.splits
    for _, fold in splits.groupby("fold"):
        assert sorted(fold["frame_id"]) == sorted(contents.frames["frame_id"])
    validated = splits[splits["part"] == "validation"]["frame_id"]
    assert validated.is_unique
    assert len(validated) == 42
    assert shared_patients(contents, "official") == []


def test_the_fold_gives_the_split_of_the_cases(folder):
    for fold in range(3):
        contents = load("limuc", folder, fold=fold)
        of_fold = contents.splits[contents.splits["fold"] == str(fold)]
        part = dict(zip(of_fold["frame_id"], of_fold["part"], strict=True))
        split = dict(zip(contents.cases["case_id"], contents.cases["split"], strict=True))
        for row in contents.frames.itertuples():
            assert split[row.case_id] == part[row.frame_id]


def test_a_fold_that_is_not_there(folder):
    contents = load("limuc", folder, fold=7)
    assert "no such fold" in contents.problems[0].what
    assert set(contents.cases["split"]) == {"train", "test"}


def test_folds_alone_are_checked(folder):
    for part in ("train_and_validation_sets", "test_set"):
        shutil.rmtree(folder / part)
    contents = load("limuc", folder)
    assert contents.frames.empty
    assert list(contents.frames.columns) == ["frame_id", "case_id", "path", "index"]
    assert len(contents.labels) == 42
    assert {p.path for p in contents.problems} == {"train_and_validation_sets", "test_set"}


def test_unknown_and_missing_class_folders(folder):
    (folder / "test_set/Mayo 4").mkdir()
    Image.new("RGB", (4, 4)).save(folder / "test_set/Mayo 4/UC_patient_1_1.bmp")
    (folder / "train_and_validation_sets/Mayo 3").rename(
        folder / "train_and_validation_sets/remission"
    )
    problems = _problems(folder)
    assert "unknown class 'Mayo 4'" in problems["test_set/Mayo 4"]
    assert "1 pictures are left out" in problems["test_set/Mayo 4"]
    assert "known: Mayo 0, Mayo 1" in problems["train_and_validation_sets/remission"]
    assert "no picture of the class 'Mayo 3'" in problems["train_and_validation_sets/Mayo 3"]
    assert load("limuc", folder).counts()["mayo=0"] == 12


def test_names_that_differ_in_case(folder):
    (folder / "test_set").rename(folder / "Test_Set")
    (folder / "train_and_validation_sets/Mayo 0").rename(
        folder / "train_and_validation_sets/mayo_0"
    )
    assert _problems(folder) == {}
    training = folder / "train_and_validation_sets/Mayo 1"
    picture = sorted(training.iterdir())[0]
    picture.rename(picture.with_name(picture.name.lower()))
    contents = load("limuc", folder)
    assert len(contents.labels) == len(contents.frames) == 48
    assert {p.kind for p in contents.problems} == {"odd"}
    assert all("differs in case" in p.what for p in contents.problems)


def test_a_list_that_names_a_missing_picture(folder):
    gone = sorted((folder / "train_and_validation_sets/Mayo 2").iterdir())[0]
    gone.unlink()
    contents = load("limuc", folder)
    (first, *_) = contents.problems
    assert first.kind == "missing"
    assert f"names Mayo 2/{gone.stem}, and no such picture" in first.what
    assert len(contents.frames) == 47
    assert len(contents.labels) == 48


def test_a_picture_that_no_list_names(folder):
    Image.new("RGB", (4, 4)).save(folder / "train_and_validation_sets/Mayo 0/UC_patient_99_1.bmp")
    problems = _problems(folder)
    assert "1 pictures on disk (Mayo 0/UC_patient_99_1)" in problems[f"{FOLDS}/fold_0"]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b'{"Mayo 0": ["a.bmp"', "no readable JSON"),
        (b"[1, 2]", "not an object of lists"),
        (b'{"Mayo 9": []}', "unknown class 'Mayo 9'"),
        (b'{"Mayo 0": [1]}', "'Mayo 0' holds no list of file names"),
        (b"\xff\xfe\x00", "no readable JSON"),
    ],
)
def test_broken_lists(folder, content, what):
    (folder / FOLDS / "fold_1/val.json").write_bytes(content)
    assert what in next(p.what for p in load("limuc", folder).problems)


def test_lists_of_other_systems(folder):
    path = folder / FOLDS / "fold_1/train.json"
    text = json.dumps(json.loads(path.read_text()), indent=1)
    path.write_bytes(text.replace("\n", "\r\n").encode("utf-16"))
    assert load("limuc", folder).problems == ()


def test_patients_on_both_sides_are_told(folder):
    fold = folder / FOLDS / "fold_0"
    lists = {part: json.loads((fold / f"{part}.json").read_text()) for part in ("train", "val")}
    grade = next(grade for grade, names in lists["train"].items() if names)
    moved = lists["train"][grade].pop()
    lists["val"][grade].append(moved)
    for part, names in lists.items():
        (fold / f"{part}.json").write_text(json.dumps(names))
    assert "1 patients are in both parts" in _problems(folder)[f"{FOLDS}/fold_0"]
    lists["train"][grade].append(moved)
    (fold / "train.json").write_text(json.dumps(lists["train"]))
    assert "is in both parts of the fold" in _problems(folder)[f"{FOLDS}/fold_0/val.json"]


def test_a_test_patient_in_training_is_told(folder):
    shutil.copytree(folder / "test_set", folder / "train_and_validation_sets", dirs_exist_ok=True)
    assert "1 patients are in train_and_validation_sets too" in _problems(folder)["test_set"]


def test_nothing_of_it(tmp_path):
    (tmp_path / "pictures").mkdir()
    with pytest.raises(ValueError, match=r"not the layout of LIMUC: looked for .*found pictures"):
        load("limuc", tmp_path)


def test_published_counts_add_up():
    assert sum(CARD.expected[f"mayo={grade}"] for grade in range(4)) == CARD.expected["frames"]
    assert CARD.expected["train_and_validation"] + CARD.expected["test"] == CARD.expected["frames"]


@pytest.mark.real
@pytest.mark.skipif("ENDOALIGN_REAL_DATA" not in os.environ, reason="ENDOALIGN_REAL_DATA unset")
def test_real_folds():
    result = check("limuc", Path(os.environ["ENDOALIGN_REAL_DATA"]) / "limuc-metadata")
    counts = result.contents.counts()
    assert counts["train_and_validation"] == CARD.expected["train_and_validation"]
    assert counts["patients"] == 478
    assert counts["frames"] == 0
    splits = result.contents.splits
    assert splits["part"].value_counts().to_dict() == {"train": 8645, "validation": 945}
    # The eight file names that stand under two grades are sixteen pictures.
    assert result.contents.labels["frame_id"].str.split("/").str[-1].duplicated().sum() == 8
    assert "11,276 missing" in report(result)
