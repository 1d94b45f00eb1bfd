import numpy as np
import pytest
from PIL import Image

from endoalign.datasets.check import check
from endoalign.datasets.clinicdb_sequences import SEQUENCES, STILLS, place_of
from endoalign.datasets.masks import read_mask
from endoalign.datasets.registry import load
from endoalign.world.layouts import cvc_clinicdb

NAME = "cvc-clinicdb"


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """All 612 stills, tiny, all alike but for the mask's corner."""
    folder = tmp_path_factory.mktemp("clinicdb")
    for part in ("Original", "Ground Truth"):
        (folder / part).mkdir()
        picture = Image.new("RGB" if part == "Original" else "L", (4, 3))
        for number in range(1, STILLS + 1):
            picture.save(folder / part / f"{number}.tif")
    return folder


def test_the_sequences_follow_each_other_without_a_gap():
    numbers = [n for start, length in SEQUENCES.items() for n in range(start, start + length)]
    assert numbers == list(range(1, STILLS + 1))
    assert len(SEQUENCES) == 29


def test_place_of_agrees_with_a_walk_through_the_sequences():
    walk = [(start, k) for start, length in SEQUENCES.items() for k in range(length)]
    assert [place_of(n) for n in range(1, STILLS + 1)] == walk
    for number in (0, -1, 613):
        with pytest.raises(ValueError, match="none of CVC-ClinicDB's 1 to 612"):
            place_of(number)


def test_counts_are_as_published(full):
    result = check(NAME, full)
    assert result.complete
    assert result.contents.counts() == {"frames": 612, "masks": 612, "cases": 29}
    sizes = result.contents.frames.groupby("case_id").size()
    assert sizes["cvc-clinicdb/sequence-200"] == 6
    assert (result.contents.frames.groupby("case_id")["index"].max() + 1 == sizes).all()


@pytest.mark.parametrize("repack", ["tif", "png"])
def test_reads_what_was_written(tmp_path, make_pictures, repack):
    pictures = make_pictures(60)
    cvc_clinicdb.write(pictures, tmp_path, repack=repack)
    contents = load(NAME, tmp_path)
    frames = contents.frames.set_index("frame_id")
    masks = contents.masks.set_index("frame_id")["mask_path"]
    for number, picture in enumerate(pictures, start=1):
        frame = frames.loc[f"{NAME}/{number}"]
        assert np.array_equal(np.asarray(Image.open(tmp_path / frame["path"])), picture.rgb)
        assert np.array_equal(read_mask(tmp_path / masks[f"{NAME}/{number}"]), picture.mask)
    assert contents.frames["case_id"].unique().tolist() == [
        "cvc-clinicdb/sequence-001",
        "cvc-clinicdb/sequence-026",
        "cvc-clinicdb/sequence-051",
    ]


def test_missing_stills_are_told_by_sequence(tmp_path, make_pictures):
    cvc_clinicdb.write(make_pictures(60), tmp_path)
    (tmp_path / "Original/30.tif").unlink()
    problems = load(NAME, tmp_path).problems
    whats = [problem.what for problem in problems if problem.path == "Original"]
    assert whats[0] == "1 of the 25 stills from 26 on are not there; the first is 30"
    assert whats[1] == "7 of the 17 stills from 51 on are not there; the first is 61"
    assert len(whats) == 1 + 27
    assert [p.path for p in problems if p.path != "Original"] == ["Ground Truth/30.tif"]


def test_a_repack_that_is_not_binary_is_odd(tmp_path, make_pictures):
    cvc_clinicdb.write(make_pictures(3), tmp_path, repack="png")
    found = [p for p in check(NAME, tmp_path).problems if p.path == "PNG/Ground Truth"]
    assert len(found) == 1
    assert "3 masks are not binary" in found[0].what
    assert "above 127" in found[0].what


def test_masks_of_0_and_1_are_told(tmp_path, make_pictures):
    cvc_clinicdb.write(make_pictures(2), tmp_path)
    Image.fromarray(np.eye(30, dtype=np.uint8)).save(tmp_path / "Ground Truth/1.tif")
    Image.new("RGB", (30, 30)).save(tmp_path / "Original/1.tif")
    found = [p for p in check(NAME, tmp_path).problems if p.path == "Ground Truth/1.tif"]
    assert len(found) == 1
    assert "no value above 127 (highest 1)" in found[0].what


def test_files_that_are_no_stills_are_left_out(tmp_path, make_pictures):
    cvc_clinicdb.write(make_pictures(2), tmp_path)
    for part in ("Original", "Ground Truth"):
        Image.new("L", (5, 5)).save(tmp_path / part / "613.tif")
        Image.new("L", (5, 5)).save(tmp_path / part / "copy of 1.tif")
    contents = load(NAME, tmp_path)
    assert contents.frames["frame_id"].tolist() == [f"{NAME}/1", f"{NAME}/2"]
    odd = [p.path for p in contents.problems if p.kind == "odd"]
    assert odd == ["Original/613.tif", "Original/copy of 1.tif"]


def test_other_folders_are_found(tmp_path, make_pictures):
    cvc_clinicdb.write(make_pictures(1), tmp_path / "CVC-ClinicDB")
    (tmp_path / "CVC-ClinicDB/Ground Truth").rename(tmp_path / "CVC-ClinicDB/GroundTruth")
    contents = load(NAME, tmp_path)
    assert contents.masks["mask_path"].tolist() == ["CVC-ClinicDB/GroundTruth/1.tif"]


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"not the layout of CVC-ClinicDB.*found nothing"):
        load(NAME, tmp_path)
