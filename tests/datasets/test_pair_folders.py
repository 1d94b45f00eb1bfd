import numpy as np
import pytest
from PIL import Image

from endoalign.datasets.masks import read_mask
from endoalign.datasets.registry import load
from endoalign.world.layouts import pair_folders
from endoalign.world.layouts.pair_folders import LAYOUTS

PUBLISHED = {
    ("cvc-300", "test frames"): 60,
    ("cvc-300", "EndoScene"): 300,
    ("cvc-colondb", "380 frames"): 380,
    ("cvc-colondb", "original"): 300,
    ("etis", "repack"): 196,
    ("etis", "original"): 196,
}


@pytest.mark.parametrize(("name", "release"), LAYOUTS)
def test_reads_what_was_written(tmp_path, make_pictures, name, release):
    pictures = make_pictures(11)
    pair_folders.write(pictures, tmp_path, name=name, release=release)
    contents = load(name, tmp_path)
    assert contents.problems == ()
    assert contents.counts() == {"frames": 11, "masks": 11}
    expected = PUBLISHED[name, release]
    assert dict(contents.card.expected) == {"frames": expected, "masks": expected}
    assert contents.frames["frame_id"].tolist() == [f"{name}/{k}" for k in range(1, 12)]
    paths = zip(contents.frames["path"], contents.masks["mask_path"], strict=True)
    for picture, (image, mask) in zip(pictures, paths, strict=True):
        assert np.array_equal(np.asarray(Image.open(tmp_path / image)), picture.rgb)
        assert np.array_equal(read_mask(tmp_path / mask), picture.mask)
    assert set(contents.cases["split"]) == {"test"}


def test_the_original_colondb_keeps_further_masks_apart(tmp_path, make_pictures):
    pair_folders.write(make_pictures(2), tmp_path, name="cvc-colondb", release="original")
    folder = tmp_path / "CVC-ColonDB"
    for letter in "sc":
        Image.new("L", (9, 9)).save(folder / f"{letter}1.bmp")
    contents = load("cvc-colondb", folder)  # the inner folder itself
    assert contents.frames["path"].tolist() == ["1.bmp", "2.bmp"]
    assert contents.masks["mask_path"].tolist() == ["p1.bmp", "p2.bmp"]
    assert contents.problems == ()


@pytest.mark.parametrize("name", ["cvc-300", "cvc-colondb", "etis"])
def test_an_unknown_layout_is_refused(tmp_path, name):
    (tmp_path / "pictures").mkdir()
    Image.new("L", (9, 9)).save(tmp_path / "pictures/1.png")
    with pytest.raises(ValueError, match=r"not the layout of .*found pictures; expected"):
        load(name, tmp_path)


def test_the_writer_names_the_layouts_it_knows(tmp_path):
    with pytest.raises(ValueError, match=r"no layout etis \(zip\); known: cvc-300 \(test frames\)"):
        pair_folders.write([], tmp_path, name="etis", release="zip")
