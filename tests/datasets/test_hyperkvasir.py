import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from endoalign.datasets.check import check
from endoalign.datasets.hyperkvasir import CARD
from endoalign.datasets.masks import read_mask
from endoalign.datasets.registry import load
from endoalign.world.layouts import hyperkvasir
from endoalign.world.layouts.pictures import LabelledPicture

LABELS = "labeled-images/image-labels.csv"
FOLDS = "official_splits/2_fold_split.csv"


def _pictures(each=2):
    rng = np.random.default_rng(0)
    mask = np.zeros((24, 32), dtype=bool)
    mask[8:16, 8:20] = True
    return [
        LabelledPicture(
            rng.integers(0, 256, (24, 32, 3), dtype=np.uint8),
            mask if name == "polyps" else None,
            {"class": name},
        )
        for name in hyperkvasir.CLASSES
        for _ in range(each)
    ]


@pytest.fixture
def folder(tmp_path):
    hyperkvasir.write(_pictures(), tmp_path, seed=3)
    return tmp_path


def _problems(folder):
    return {problem.path: problem.what for problem in load("hyperkvasir", folder).problems}


def _rewrite(path, change):
    path.write_bytes(change(path.read_text()).encode())


def test_reads_what_was_written_however_it_is_named(tmp_path):
    ids = hyperkvasir.write(_pictures(), tmp_path, seed=3)
    contents = load("hyperkvasir", tmp_path)
    assert contents.problems == ()
    label = contents.labels.set_index("frame_id")["label"]
    assert [label[f"hyperkvasir/{i}"] for i in ids] == [p.labels["class"] for p in _pictures()]
    assert contents.counts()["classes"] == 23
    assert len(contents.frames) == 46
    assert set(contents.frames["frame_id"]) == set(contents.labels["frame_id"])
    assert all((tmp_path / path).is_file() for path in contents.frames["path"])


def test_the_names_do_disagree_on_disk(folder):
    names = {p.name for p in folder.glob("labeled-images/*/*/*")}
    assert {"polyp", "retroflex-rectum ", "cecum", "z-line"} <= names
    assert ",polyps," in (folder / LABELS).read_text()
    folds = (folder / FOLDS).read_text()
    assert ";polyp;" in folds
    assert ";normal-cecum;" in folds
    assert ";hemorroids;" in folds


def test_examination_by_tract(folder):
    contents = load("hyperkvasir", folder)
    exam = contents.cases.set_index("case_id")["exam_type"]
    for row in contents.labels.itertuples():
        upper = hyperkvasir.CLASSES[row.label][0] == "upper-gi-tract"
        assert exam[row.frame_id] == ("gastroscopy" if upper else "colonoscopy")


@pytest.mark.parametrize(("folds", "fold"), [(2, 0), (2, 1), (5, 4)])
def test_folds(folder, folds, fold):
    contents = load("hyperkvasir", folder, folds=folds, fold=fold)
    splits = contents.splits[contents.splits["protocol"] == f"official_{folds}"]
    tested = splits[splits["part"] == "test"]
    assert sorted(tested["frame_id"]) == sorted(contents.frames["frame_id"])
    lines = (folder / f"official_splits/{folds}_fold_split.csv").read_text().splitlines()[1:]
    naive = {f"hyperkvasir/{c[0][:-4]}" for c in (s.split(";") for s in lines) if int(c[2]) == fold}
    assert set(tested.loc[tested["fold"] == str(fold), "frame_id"]) == naive
    cases = contents.cases
    assert set(cases.loc[cases["split"] == "test", "case_id"]) == naive


@pytest.mark.parametrize(("folds", "fold"), [(3, 0), (2, 2), (5, -1)])
def test_impossible_folds(folder, folds, fold):
    with pytest.raises(ValueError, match="right is 2 or 5"):
        load("hyperkvasir", folder, folds=folds, fold=fold)


def test_masks_of_the_segmented_polyps(folder):
    contents = load("hyperkvasir", folder)
    label = contents.labels.set_index("frame_id")["label"]
    assert set(label[contents.masks["frame_id"]]) == {"polyps"}
    for path in contents.masks["mask_path"]:
        assert read_mask(folder / path).sum() == 8 * 12
    Image.new("L", (4, 4)).save(folder / "segmented-images/masks/stray.jpg")
    assert "picture that is not there" in _problems(folder)["segmented-images/masks/stray.jpg"]


@pytest.mark.parametrize("inside", ["hyper-kvasir", ""])
def test_the_folder_may_be_one_up_or_one_down(folder, tmp_path_factory, inside):
    root = tmp_path_factory.mktemp("root")
    if inside:
        shutil.move(folder / "labeled-images", root / inside / "labeled-images")
        shutil.move(folder / "official_splits", root / "official_splits")
    else:
        shutil.copytree(folder / "labeled-images", root, dirs_exist_ok=True)
        shutil.move(folder / "official_splits", root / "official_splits")
    contents = load("hyperkvasir", root)
    assert contents.problems == ()
    assert len(contents.frames) == 46


def test_labels_and_folds_alone_are_checked(folder):
    for tract in ("lower", "upper"):
        shutil.rmtree(folder / f"labeled-images/{tract}-gi-tract")
    shutil.rmtree(folder / "segmented-images")
    contents = load("hyperkvasir", folder)
    assert contents.frames.empty
    assert len(contents.labels) == 46
    assert contents.counts()["official_2/0/test"] > 0
    assert {p.kind for p in contents.problems} == {"missing"}
    assert len(contents.problems) == 3


def test_unknown_class_folder(folder):
    base = "labeled-images/lower-gi-tract/pathological-findings"
    (folder / base / "polyp").rename(folder / base / "polypps")
    problems = _problems(folder)
    assert "unknown class 'polypps' (nearest: 'polyps')" in problems[f"{base}/polypps"]
    assert "no picture of the class 'polyps'" in problems["labeled-images/polyps"]


def test_names_that_differ_in_case(folder):
    (folder / "labeled-images/upper-gi-tract").rename(folder / "labeled-images/Upper-GI-tract")
    path = folder / "labeled-images/lower-gi-tract/anatomical-landmarks"
    (path / "cecum").rename(path / "Cecum")
    assert _problems(folder) == {}
    picture = sorted((path / "Cecum").iterdir())[0]
    picture.rename(picture.with_name(picture.stem.upper() + ".JPG"))
    contents = load("hyperkvasir", folder)
    assert len(contents.labels) == len(contents.frames) == 46
    assert len(contents.problems) == 3
    assert all("differs in case" in p.what and p.kind == "odd" for p in contents.problems)


def test_a_line_that_names_a_missing_picture(folder):
    gone = sorted((folder / "labeled-images/lower-gi-tract/anatomical-landmarks/ileum").iterdir())[
        0
    ]
    gone.unlink()
    lines = (folder / FOLDS).read_text().splitlines()
    line = 1 + next(k for k, text in enumerate(lines) if gone.stem in text)
    contents = load("hyperkvasir", folder)
    problems = {p.path: p for p in contents.problems}
    assert problems[f"{FOLDS}:{line}"].kind == "missing"
    assert gone.stem in problems[f"{FOLDS}:{line}"].what
    assert len(contents.frames) == 45


@pytest.mark.parametrize("name", [LABELS, FOLDS])
@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.encode("utf-16"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.encode("utf-8-sig"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.rstrip("\n").encode(),
        lambda text: text.replace(";", "\0").replace(",", ";").replace("\0", ",").encode(),
    ],
    ids=["utf-16", "utf-16 without mark", "utf-8 mark", "windows", "no last line end", "; for ,"],
)
def test_lists_of_other_systems(folder, name, change):
    before = load("hyperkvasir", folder)
    path = folder / name
    path.write_bytes(change(path.read_text()))
    after = load("hyperkvasir", folder)
    assert after.problems == ()
    assert after.labels.equals(before.labels)
    assert after.splits.equals(before.splits)


@pytest.mark.parametrize(
    ("name", "old", "new", "what"),
    [
        (LABELS, ",polyps,", ",polips,", "unknown class 'polips' (nearest: 'polyps')"),
        (LABELS, ",polyps,", ",cecum,", "is cecum here and polyps elsewhere, which is taken"),
        (FOLDS, ";polyp;", ";z-line;", "is z-line here and polyps elsewhere"),
        (FOLDS, ";0\n", ";2\n", "split-index '2' is not one of 0 to 1"),
        (FOLDS, ";0\n", ";\n", "split-index '' is not one of"),
        (FOLDS, ";0\n", ";0;0\n", "4 cells where the header has 3"),
    ],
)
def test_wrong_lines(folder, name, old, new, what):
    _rewrite(folder / name, lambda text: text.replace(old, new, 1))
    contents = load("hyperkvasir", folder)
    (problem,) = (p for p in contents.problems if what in p.what)
    assert problem.path.startswith(f"{name}:")
    assert len(contents.frames) == 46


def test_a_list_without_its_column_is_a_problem_and_the_rest_is_read(folder):
    _rewrite(folder / LABELS, lambda text: text.replace("Finding", "Fund", 1))
    contents = load("hyperkvasir", folder)
    assert "column 'Finding' is missing" in {p.path: p.what for p in contents.problems}[LABELS]
    assert len(contents.labels) == 46


def test_lists_that_are_not_there(folder):
    (folder / LABELS).unlink()
    shutil.rmtree(folder / "official_splits")
    contents = load("hyperkvasir", folder)
    assert [p.kind for p in contents.problems] == ["missing"] * 3
    assert len(contents.labels) == 46
    assert contents.splits.empty


def test_one_id_in_two_classes_is_taken_once(folder):
    base = folder / "labeled-images/lower-gi-tract/anatomical-landmarks"
    name = sorted((base / "cecum").iterdir())[0].name
    shutil.copy(base / "cecum" / name, base / "ileum" / name)
    contents = load("hyperkvasir", folder)
    assert any("has the id of" in p.what for p in contents.problems)
    assert contents.frames["frame_id"].is_unique


def test_nothing_of_it(tmp_path):
    with pytest.raises(ValueError, match="not the layout of HyperKvasir"):
        load("hyperkvasir", tmp_path)


def test_writer_refuses_unknown_classes(tmp_path):
    picture = LabelledPicture(np.zeros((4, 4, 3), np.uint8), labels={"class": "polyp"})
    with pytest.raises(ValueError, match="label class is 'polyp' \\(nearest: 'polyps'\\)"):
        hyperkvasir.write([picture], tmp_path, seed=0)


@pytest.mark.real
@pytest.mark.skipif("ENDOALIGN_REAL_DATA" not in os.environ, reason="ENDOALIGN_REAL_DATA unset")
def test_real_labels_and_folds():
    result = check("hyperkvasir", Path(os.environ["ENDOALIGN_REAL_DATA"]) / "hyperkvasir-metadata")
    counts = result.contents.counts()
    assert counts.pop("frames") == 0
    assert counts == {k: v for k, v in CARD.expected.items() if k != "frames"}
    label = result.contents.labels["label"].value_counts()
    assert label["polyps"] == 1028
    assert label["hemorrhoids"] == 6
    assert {p.kind for p in result.problems} == {"missing"}  # the pictures, and nothing odd
    tested = result.contents.splits.query("part == 'test'")
    assert tested.groupby("protocol").size().to_dict() == {"official_2": 10662, "official_5": 10662}
