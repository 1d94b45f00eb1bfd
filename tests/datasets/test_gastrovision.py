import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from endoalign.datasets.check import check
from endoalign.datasets.gastrovision import CARD
from endoalign.datasets.registry import load
from endoalign.world.layouts import gastrovision
from endoalign.world.layouts.pictures import LabelledPicture

METADATA = "GastroVision_metadata.csv"


def _pictures(each=5):
    rng = np.random.default_rng(0)
    counts = dict.fromkeys(gastrovision.CLASSES, each) | {"Ulcer": 2}
    return [
        LabelledPicture(rng.integers(0, 256, (8, 9, 3), dtype=np.uint8), labels={"class": name})
        for name, count in counts.items()
        for _ in range(count)
    ]


@pytest.fixture
def folder(tmp_path):
    gastrovision.write(_pictures(), tmp_path, seed=3, least_in_split=5)
    return tmp_path


def _problems(folder):
    return {problem.path: problem.what for problem in load("gastrovision", folder).problems}


def test_reads_what_was_written(folder):
    contents = load("gastrovision", folder)
    assert contents.problems == ()
    assert len(contents.frames) == len(contents.labels) == 26 * 5 + 2
    assert contents.frames["frame_id"].is_unique
    label = contents.labels.set_index("frame_id")["label"]
    for row in contents.frames.itertuples():
        assert label[row.frame_id] == Path(row.path).parent.name
    parts = contents.splits["part"].value_counts().to_dict()
    assert parts == {"train": 26 * 3, "validation": 26, "test": 26}
    split = contents.cases.set_index("case_id")["split"]
    for row in contents.splits.itertuples():
        assert split[row.frame_id] == row.part


def test_one_file_name_stands_in_every_class(folder):
    frames = load("gastrovision", folder).frames
    assert frames["path"].str.endswith("/100H0001.jpg").sum() == 27


def test_small_classes_are_in_no_part(folder):
    contents = load("gastrovision", folder)
    small = contents.labels.loc[contents.labels["label"] == "Ulcer", "frame_id"]
    assert len(small) == 2
    assert not contents.splits["frame_id"].isin(small).any()


def test_metadata_alone_is_checked(folder):
    for name in gastrovision.CLASSES:
        shutil.rmtree(folder / name)
    contents = load("gastrovision", folder)
    assert contents.frames.empty
    assert len(contents.labels) == 132
    assert contents.counts()["classes"] == 27
    assert {p.kind for p in contents.problems} == {"missing"}
    whole = [p.what for p in contents.problems if p.path == METADATA]
    assert whole == ["names 132 pictures in all that are not there; 10 of them are named"]


def test_lists_in_a_folder_of_their_own(folder):
    (folder / "official").mkdir()
    for name in (METADATA, "Split"):
        shutil.move(folder / name, folder / "official" / name)
    contents = load("gastrovision", folder)
    assert contents.problems == ()
    assert len(contents.splits) == 26 * 5


def test_unknown_class_folder_and_class_in_a_list(folder):
    (folder / "Polips").mkdir()
    Image.new("RGB", (4, 4)).save(folder / "Polips/a.jpg")
    path = folder / "Split/test.csv"
    path.write_text(path.read_text() + "x.jpg,Colon polypz\r\n", newline="")
    problems = _problems(folder)
    assert "unknown class 'Polips'" in problems["Polips"]
    line = len(path.read_text().splitlines())
    words = "unknown class 'Colon polypz' (nearest: 'Colon polyps')"
    assert words in problems[f"Split/test.csv:{line}"]


def test_names_that_differ_in_case(folder):
    (folder / "Colon polyps").rename(folder / "colon_polyps")
    (folder / METADATA).rename(folder / METADATA.lower())
    assert _problems(folder) == {}
    path = folder / "colon_polyps/100H0001.jpg"
    path.rename(path.with_name("100h0001.JPG"))
    contents = load("gastrovision", folder)
    assert len(contents.labels) == 132
    assert {p.kind for p in contents.problems} == {"odd"}
    assert "Colon polyps/100h0001 on disk" in contents.problems[0].what


def test_a_missing_picture_is_named_with_its_line(folder):
    lines = (folder / "Split/train.csv").read_text().splitlines()
    name, label = lines[4].split(",")
    (folder / label / name).unlink()
    problems = _problems(folder)
    assert f"names {label}/{Path(name).stem}" in problems["Split/train.csv:5"]
    assert len([path for path in problems if path.startswith(METADATA)]) == 1


def test_a_damaged_picture_is_known_by_its_size(folder):
    path = sorted((folder / "Cecum").iterdir())[0]
    content = path.read_bytes()
    path.write_bytes(content[:-7])
    words = f"{len(content) - 7} bytes; {len(content)} were published"
    assert _problems(folder) == {f"Cecum/{path.name}": words}


def test_one_picture_in_two_parts(folder):
    train, test = (folder / f"Split/{part}.csv" for part in ("train", "test"))
    line = train.read_text().splitlines()[1]
    test.write_bytes(test.read_bytes() + f"{line}\r\n".encode())
    (words,) = _problems(folder).values()
    assert "is in the part train too, which is taken" in words


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.encode("utf-16"),
        lambda text: text.replace("\r\n", "\n").encode(),
        lambda text: text.rstrip("\r\n").encode(),
        lambda text: text.replace(",", ";").encode(),
    ],
    ids=["utf-16", "unix", "no last line end", "; for ,"],
)
def test_lists_of_other_systems(folder, change):
    before = load("gastrovision", folder)
    for name in (METADATA, "Split/test.csv"):
        path = folder / name
        path.write_bytes(change(path.read_bytes().decode()))
    after = load("gastrovision", folder)
    assert after.problems == ()
    assert after.splits.equals(before.splits)


def test_nothing_of_it(tmp_path):
    with pytest.raises(ValueError, match="not the layout of GastroVision"):
        load("gastrovision", tmp_path)


@pytest.mark.real
@pytest.mark.skipif("ENDOALIGN_REAL_DATA" not in os.environ, reason="ENDOALIGN_REAL_DATA unset")
def test_real_part():
    result = check("gastrovision", Path(os.environ["ENDOALIGN_REAL_DATA"]) / "gastrovision")
    counts = result.contents.counts()
    assert counts.pop("frames") == 155
    assert counts == {k: v for k, v in CARD.expected.items() if k != "frames"}
    assert {p.kind for p in result.problems} == {"missing"}  # sizes in bytes are as published
    found = result.contents.frames["path"].str.split("/").str[0].value_counts().to_dict()
    assert found == {
        "Colon polyps": 55,
        "Normal mucosa and vascular pattern in the large bowel": 55,
        "Normal esophagus": 30,
        "Erythema": 15,
    }
    label = result.contents.labels.set_index("frame_id")["label"]
    for row in result.contents.frames.itertuples():
        assert label[row.frame_id] == row.path.split("/")[0]
