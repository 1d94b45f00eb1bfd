import shutil

import numpy as np
import pytest
from PIL import Image

from endoalign.datasets.check import check
from endoalign.datasets.masks import read_mask
from endoalign.datasets.registry import load
from endoalign.world.layouts import polypgen

NAME = "polypgen"
CENTRES = {"C1": 9, "C2": 2, "C3": 1, "C4": 1, "C5": 1, "C6": 3}


@pytest.fixture
def written(tmp_path, make_pictures):
    centres = {c: make_pictures(n, seed=k) for k, (c, n) in enumerate(CENTRES.items())}
    positive = [make_pictures(12, seed=7), make_pictures(2, seed=8)]
    negative = [make_pictures(3, seed=9)]
    polypgen.write(centres, positive, negative, tmp_path / "data")
    return tmp_path / "data", centres, positive, negative


def test_reads_what_was_written(written):
    folder, centres, positive, negative = written
    contents = load(NAME, folder)
    assert contents.problems == ()
    masks = contents.masks.set_index("frame_id")["mask_path"]
    expected = {
        f"{NAME}/{centre}/EndoCV2021_{centre}_{k:07d}": picture
        for centre, pictures in centres.items()
        for k, picture in enumerate(pictures, start=1)
    } | {
        f"{NAME}/seq{n}/seq{n}_{k}": picture
        for n, pictures in enumerate(positive, start=1)
        for k, picture in enumerate(pictures)
    }
    assert set(masks.index) == set(expected)
    for frame_id, picture in expected.items():
        assert np.array_equal(read_mask(folder / masks[frame_id]), picture.mask)
    no_mask = set(contents.frames["frame_id"]) - set(masks.index)
    assert no_mask == {f"{NAME}/seq1_neg/seq1_neg_{k}" for k in range(len(negative[0]))}
    assert contents.counts() == {
        **{f"centre={centre}": count for centre, count in CENTRES.items()},
        "single frames": 17,
        "positive sequence frames": 14,
        "negative sequence frames": 3,
        "positive sequences": 2,
        "negative sequences": 1,
    }


def test_frames_of_a_sequence_are_in_order(written):
    frames = load(NAME, written[0]).frames
    sequence = frames[frames["case_id"] == f"{NAME}/seq1"]
    assert sequence["index"].tolist() == list(range(12))
    assert sequence["frame_id"].iloc[10] == f"{NAME}/seq1/seq1_10"


def test_each_centre_is_tested_on_once(written):
    splits = load(NAME, written[0]).splits
    assert set(splits["protocol"]) == {"leave_one_centre_out"}
    for centre, count in CENTRES.items():
        fold = splits[splits["fold"] == centre]
        assert (fold["part"] == "test").sum() == count
        assert len(fold) == 17
        assert fold.loc[fold["part"] == "test", "frame_id"].str.contains(f"/{centre}/").all()


def test_published_counts_add_up():
    from endoalign.datasets.polypgen import CARD

    assert CARD.expected["single frames"] == 1537
    assert sum(v for k, v in CARD.expected.items() if k.startswith("centre=")) == 1537


def test_the_archive_folder_is_looked_into(written, tmp_path):
    shutil.move(written[0], tmp_path / "PolypGen2021_MultiCenterData_v3")
    assert load(NAME, tmp_path).counts()["single frames"] == 17


def test_missing_and_odd_parts_are_named(written):
    folder = written[0]
    shutil.rmtree(folder / "data_C3")
    shutil.rmtree(folder / "sequenceData/negativeOnly")
    (folder / "sequenceData/positive/seq3").mkdir()
    (folder / "data_C6/masks_C6/EndoCV2021_C6_0000002_mask.jpg").unlink()
    Image.new("L", (3, 3)).save(folder / "data_C1/masks_C1/stray_mask.jpg")
    problems = {p.path: p.what for p in load(NAME, folder).problems}
    assert set(problems) == {
        "data_C3/images_C3",
        "sequenceData/negativeOnly",
        "sequenceData/positive/seq3",
        "data_C6/images_C6/EndoCV2021_C6_0000002.jpg",
        "data_C1/masks_C1/stray_mask.jpg",
    }
    expected = "it should be data_C6/masks_C6/EndoCV2021_C6_0000002_mask.jpg"
    assert expected in problems["data_C6/images_C6/EndoCV2021_C6_0000002.jpg"]


def test_an_empty_mask_is_no_problem(written):
    folder = written[0]
    path = folder / "data_C2/masks_C2/EndoCV2021_C2_0000001_mask.jpg"
    Image.new("L", Image.open(path).size).save(path)
    assert check(NAME, folder).problems == ()
    assert not read_mask(path).any()


def test_another_folder_is_refused(tmp_path):
    with pytest.raises(ValueError, match="looked for data_C1/images_C1"):
        load(NAME, tmp_path)
