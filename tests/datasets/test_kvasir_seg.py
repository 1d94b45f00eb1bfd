import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from endoalign.datasets.check import check, report
from endoalign.datasets.masks import read_mask
from endoalign.datasets.registry import load
from endoalign.world.layouts import kvasir_seg

NAME = "kvasir-seg"


@pytest.fixture
def pictures(make_pictures):
    return make_pictures(25)


@pytest.fixture
def folder(tmp_path, pictures):
    kvasir_seg.write(pictures, tmp_path / "data", seed=3)
    return tmp_path / "data"


@pytest.fixture
def ids(folder):
    return sorted(path.stem for path in (folder / "images").iterdir())


def problems(folder):
    return [(p.kind, p.path, p.what) for p in load(NAME, folder).problems]


def test_reads_what_was_written(tmp_path, pictures):
    ids = kvasir_seg.write(pictures, tmp_path, seed=3)
    contents = load(NAME, tmp_path)
    assert contents.problems == ()
    frames = contents.frames.set_index("frame_id")
    masks = contents.masks.set_index("frame_id")["mask_path"]
    assert len(frames) == len(masks) == len(pictures)
    for name, picture in zip(ids, pictures, strict=True):
        frame_id = f"{NAME}/{name}"
        path = tmp_path / frames.loc[frame_id, "path"]
        shown = np.asarray(Image.open(path)).astype(int)
        assert shown.shape == picture.rgb.shape
        assert np.abs(shown - picture.rgb).mean() < 12  # JPEG
        assert np.array_equal(read_mask(tmp_path / masks[frame_id]), picture.mask)
    lists = [(tmp_path / f).read_text().split() for f in ("train.txt", "val.txt")]
    parts = contents.splits.groupby("part")["frame_id"].agg(list).to_dict()
    assert {part: sorted(found) for part, found in parts.items()} == {
        "train": sorted(f"{NAME}/{name}" for name in lists[0]),
        "validation": sorted(f"{NAME}/{name}" for name in lists[1]),
    }
    assert contents.cases["split"].value_counts().to_dict() == {"train": 22, "validation": 3}
    assert contents.counts() == {
        "frames": 25,
        "masks": 25,
        "boxes": 25,
        "official/train": 22,
        "official/validation": 3,
    }


def test_lossy_masks_are_a_remark_and_no_problem(folder):
    result = check(NAME, folder)
    assert result.problems == ()
    assert any("25 masks are not binary" in remark for remark in result.remarks)
    assert not result.complete  # 25 of 1,000
    text = report(result)
    assert "25 of   1,000  975 missing" in text
    assert "Nothing is missing or odd." in text
    assert "To get it: download kvasir-seg.zip" in text


def test_a_folder_around_it_is_looked_into(tmp_path, folder):
    shutil.move(folder, tmp_path / "unpacked/Kvasir-SEG")
    contents = load(NAME, tmp_path / "unpacked")
    assert contents.problems == ()
    assert contents.frames["path"].str.startswith("Kvasir-SEG/images/").all()


def test_mask_without_picture_and_picture_without_mask(folder, ids):
    (folder / f"images/{ids[0]}.jpg").unlink()
    (folder / f"masks/{ids[1]}.jpg").unlink()
    contents = load(NAME, folder)
    assert len(contents.frames) == 24
    assert len(contents.masks) == 23
    assert set(contents.masks["frame_id"]) < set(contents.frames["frame_id"])
    found = [p for p in problems(folder) if not p[1].endswith((".json",)) and ".txt" not in p[1]]
    assert found == [
        (
            "missing",
            f"images/{ids[1]}.jpg",
            f"picture without mask; it should be masks/{ids[1]}.jpg",
        ),
        ("missing", f"masks/{ids[0]}.jpg", "mask without picture in images/; left out"),
    ]


def test_a_list_that_names_a_missing_file(folder, ids):
    with (folder / "train.txt").open("a") as stream:
        stream.write("nowhere\n")
    assert problems(folder) == [
        ("missing", "train.txt:23", "names 'nowhere', which is not in images/")
    ]
    assert len(load(NAME, folder).splits) == 25


def test_a_frame_listed_twice_stays_in_the_first_list(folder):
    first = (folder / "train.txt").read_text().split()[0]
    with (folder / "val.txt").open("a") as stream:
        stream.write(f"{first}.jpg\n")
    assert problems(folder) == [("odd", "val.txt:4", f"'{first}.jpg' is listed before; left out")]
    splits = load(NAME, folder).splits.set_index("frame_id")["part"]
    assert splits[f"{NAME}/{first}"] == "train"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-8-sig"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lists_of_other_systems(folder, encoding, end):
    before = load(NAME, folder)
    for name in ("train.txt", "val.txt"):
        lines = (folder / name).read_text().split()
        (folder / name).write_bytes(end.join(lines).encode(encoding))
    after = load(NAME, folder)
    assert after.problems == ()
    assert after.splits.equals(before.splits)


def test_lists_are_optional(folder):
    (folder / "train.txt").unlink()
    (folder / "val.txt").unlink()
    contents = load(NAME, folder)
    assert contents.splits.empty
    assert set(contents.cases["split"]) == {"train"}
    assert [p.path for p in contents.problems] == ["train.txt", "val.txt"]


def test_one_list_alone_leaves_frames_out_of_it(folder):
    (folder / "val.txt").unlink()
    assert [p[1:] for p in problems(folder)] == [
        ("val.txt", "the list of validation frames"),
        ("images", "3 frames are in none of the lists"),
    ]


def test_a_wrong_size_pair_loses_its_mask(folder, ids):
    path = folder / f"masks/{ids[4]}.jpg"
    Image.new("RGB", (7, 5)).save(path)
    contents = load(NAME, folder)
    assert len(contents.frames) == 25
    assert len(contents.masks) == 24
    assert [p.path for p in contents.problems] == [f"masks/{ids[4]}.jpg"]
    assert "mask of 7 x 5 pixels" in contents.problems[0].what


def test_names_that_differ_in_case_are_paired_and_told(folder, ids):
    mask = folder / f"masks/{ids[2]}.jpg"
    mask.rename(mask.with_name(ids[2].upper() + ".JPG"))
    contents = load(NAME, folder)
    assert len(contents.masks) == 25
    assert [p.path for p in contents.problems] == [f"masks/{ids[2].upper()}.JPG"]
    assert f"{ids[2]} would be right" in contents.problems[0].what


def test_a_broken_picture_is_left_out(folder, ids):
    (folder / f"images/{ids[0]}.jpg").write_bytes(b"no picture")
    contents = load(NAME, folder)
    assert len(contents.frames) == len(contents.masks) == 24
    assert contents.problems[0].path == f"images/{ids[0]}.jpg"
    assert "no readable picture" in contents.problems[0].what


def test_broken_or_wrong_boxes(folder, ids):
    path = folder / "kavsir_bboxes.json"
    boxes = json.loads(path.read_text())
    boxes[ids[0]]["height"] += 1
    boxes[ids[1]] = []
    boxes["nowhere"] = boxes[ids[2]]
    path.write_text(json.dumps(boxes))
    found = problems(folder)
    assert [p[1] for p in found] == ["kavsir_bboxes.json"] * 3
    assert load(NAME, folder).counts()["boxes"] == 23
    path.write_text(json.dumps(boxes)[:-5])
    assert "no readable JSON" in problems(folder)[0][2]
    path.write_text("[]")
    assert "not an object of boxes" in problems(folder)[0][2]
    path.unlink()
    assert problems(folder) == [("missing", "kavsir_bboxes.json", "the file of bounding boxes")]


def test_another_data_set_is_refused(tmp_path):
    (tmp_path / "Original").mkdir()
    with pytest.raises(ValueError, match=r"not the layout of Kvasir-SEG.*found Original"):
        load(NAME, tmp_path)
    with pytest.raises(ValueError, match="no such folder"):
        load(NAME, tmp_path / "nowhere")


@pytest.mark.real
def test_the_real_sample():
    root = os.environ.get("ENDOALIGN_REAL_DATA")
    if root is None:
        pytest.skip("ENDOALIGN_REAL_DATA is not set: no real Kvasir-SEG to read")
    result = check(NAME, Path(root) / "kvasir-seg")
    assert result.problems == ()
    assert result.contents.counts() == {
        "frames": 420,
        "masks": 420,
        "boxes": 420,
        "official/train": 360,
        "official/validation": 60,
    }
    assert "420 of   1,000  580 missing" in report(result)
    assert any("420 masks are not binary" in remark for remark in result.remarks)
