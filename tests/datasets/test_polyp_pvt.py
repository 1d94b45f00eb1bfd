import numpy as np
import pytest
from PIL import Image

from endoalign.datasets.check import check
from endoalign.datasets.masks import read_mask
from endoalign.datasets.registry import load
from endoalign.datasets.shared_patients import shared_patients
from endoalign.world.layouts import polyp_pvt

NAME = "polyp-pvt"
TRAIN = ("cju0a", "cju0b", "1", "2", "60", "600")
TESTS = {
    "Kvasir": ("cju0c",),
    "CVC-ClinicDB": ("3", "61", "30"),
    "CVC-300": ("149", "150"),
    "CVC-ColonDB": ("1", "2"),
    "ETIS-LaribPolypDB": ("1",),
}


@pytest.fixture
def named(make_pictures):
    train = dict(zip(TRAIN, make_pictures(len(TRAIN)), strict=True))
    tests = {
        name: dict(zip(stems, make_pictures(len(stems), seed=k + 1), strict=True))
        for k, (name, stems) in enumerate(TESTS.items())
    }
    return train, tests


@pytest.mark.parametrize("older", [False, True])
def test_reads_what_was_written(tmp_path, named, older):
    train, tests = named
    polyp_pvt.write(train, tests, tmp_path, older=older)
    contents = load(NAME, tmp_path)
    assert contents.problems == ()
    frames = contents.frames.set_index("frame_id")["path"]
    masks = contents.masks.set_index("frame_id")["mask_path"]
    folder = {"": "images" if older else "image"}
    written = {f"{NAME}/train/{stem}": picture for stem, picture in train.items()} | {
        f"{NAME}/test/{test}/{stem}": picture
        for test, pictures in tests.items()
        for stem, picture in pictures.items()
    }
    assert set(frames.index) == set(masks.index) == set(written)
    for frame_id, picture in written.items():
        assert np.array_equal(np.asarray(Image.open(tmp_path / frames[frame_id])), picture.rgb)
        assert np.array_equal(read_mask(tmp_path / masks[frame_id]), picture.mask)
    assert frames[f"{NAME}/train/cju0a"] == f"TrainDataset/{folder['']}/cju0a.png"


def test_folders_are_the_split(tmp_path, named):
    polyp_pvt.write(*named, tmp_path)
    contents = load(NAME, tmp_path)
    counts = contents.splits.groupby(["fold", "part"]).size().to_dict()
    assert counts == {
        ("Kvasir", "train"): 2,
        ("CVC-ClinicDB", "train"): 4,
        **{(name, "test"): len(stems) for name, stems in TESTS.items()},
    }
    assert contents.counts()["published/CVC-ClinicDB/train"] == 4
    split_of = contents.cases.set_index("case_id")["split"]
    parts = contents.frames["case_id"].map(split_of)
    assert (parts == contents.frames["path"].str.extract("(Train|Test)")[0].str.lower()).all()


def test_sequences_on_both_sides_are_found(tmp_path, named):
    polyp_pvt.write(*named, tmp_path)
    contents = load(NAME, tmp_path)
    # 1, 2 and 3 are of one sequence; so are 60 and 61; 30 and 600 are alone on their side
    expected = ["cvc-clinicdb/sequence-001", "cvc-clinicdb/sequence-051"]
    assert shared_patients(contents, "published") == expected
    result = check(NAME, tmp_path)
    assert any("published: 2 patients or sequences" in remark for remark in result.remarks)


def test_numbers_of_other_test_sets_are_no_stills_of_clinicdb(tmp_path, named):
    polyp_pvt.write(*named, tmp_path)
    contents = load(NAME, tmp_path)
    of_colondb = contents.frames["frame_id"].str.contains("CVC-ColonDB")
    assert contents.frames.loc[of_colondb, "case_id"].tolist() == [
        f"{NAME}/test/CVC-ColonDB/1",
        f"{NAME}/test/CVC-ColonDB/2",
    ]


def test_a_test_set_that_is_not_there_is_named(tmp_path, named):
    train, tests = named
    del tests["CVC-300"]
    polyp_pvt.write(train, tests, tmp_path)
    problems = load(NAME, tmp_path).problems
    assert [(p.kind, p.path) for p in problems] == [("missing", "TestDataset/CVC-300")]


def test_test_sets_alone_can_be_used(tmp_path, named):
    polyp_pvt.write({}, named[1], tmp_path)
    contents = load(NAME, tmp_path)
    assert [p.path for p in contents.problems] == ["TrainDataset"]
    assert len(contents.frames) == sum(map(len, TESTS.values()))


def test_published_counts_add_up():
    from endoalign.datasets.polyp_pvt import CARD

    assert CARD.expected["frames"] == 1450 + 798
    assert sum(v for k, v in CARD.expected.items() if k.endswith("/train")) == 1450
    assert sum(v for k, v in CARD.expected.items() if k.endswith("/test")) == 798


def test_neither_training_nor_test_set_is_refused(tmp_path):
    with pytest.raises(ValueError, match="looked for TrainDataset/image"):
        load(NAME, tmp_path)
