import re
import shutil

import numpy as np
import pytest

from endoalign.half_real.picture import LEAST_SHARE, clean_mask, read_picture
from endoalign.half_real.sources import HalfRealError, SourceImage, list_sources


def source_of(data, name="p00"):
    folder = data / "polyps"
    return SourceImage(name, folder / f"images/{name}.jpg", folder / f"masks/{name}.jpg")


@pytest.fixture
def disc_of_p00():
    rows, columns = np.mgrid[:128, :160]
    return (columns - 30) ** 2 + (rows - 35) ** 2 <= 12**2


def test_a_lossy_mask_is_read_as_it_was_drawn(data, disc_of_p00):
    picture = read_picture(source_of(data))
    assert picture.rgb.shape == (*picture.polyp.shape, 3)
    assert (picture.polyp ^ disc_of_p00).sum() <= 0.02 * disc_of_p00.sum()


def test_clean_mask_drops_specks_and_fills_holes(disc_of_p00):
    dirty = disc_of_p00.copy()
    dirty[35, 30] = False
    dirty[100:103, 100:103] = True  # below the least share
    assert LEAST_SHARE * dirty.size > 9
    assert (clean_mask(dirty) == disc_of_p00).all()
    assert not clean_mask(np.zeros((8, 8), dtype=bool)).any()


def test_two_polyps_stay_two(disc_of_p00):
    both = disc_of_p00 | np.roll(disc_of_p00, 60, axis=1)
    assert (clean_mask(both) == both).all()


@pytest.fixture
def broken(data, tmp_path):
    shutil.copytree(data, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_a_mask_without_a_polyp_is_named(broken, save):
    save(np.zeros((128, 160, 3), np.uint8), broken / "polyps/masks/p00.jpg")
    with pytest.raises(HalfRealError, match=r"masks/p00\.jpg: no polyp in it"):
        read_picture(source_of(broken))


def test_a_mask_of_another_size_is_named_with_both_sizes(broken, save):
    save(np.full((64, 80, 3), 255, np.uint8), broken / "polyps/masks/p00.jpg")
    told = r"masks/p00\.jpg: 80 x 64, not 160 x 128 pixels as its frame p00\.jpg"
    with pytest.raises(HalfRealError, match=told):
        read_picture(source_of(broken))


@pytest.mark.parametrize("part", ["images", "masks"])
def test_a_broken_file_is_named(broken, part):
    (broken / f"polyps/{part}/p00.jpg").write_bytes(b"no picture")
    with pytest.raises(HalfRealError, match=rf"{part}/p00\.jpg: not an image"):
        read_picture(source_of(broken))


def test_sources_are_sorted_and_know_the_validation_list(settings):
    sources = list_sources(settings)
    names = [s.source_id for s in sources]
    assert names == sorted(n for n in names if "kvasir" in n) + [
        f"gastrovision/n{k}" for k in range(6)
    ]
    assert {s.source_id for s in sources if s.held_out} == {
        f"kvasir-seg/p{k}" for k in ("03", "07", "11")
    }


@pytest.mark.parametrize(
    ("gone", "told"),
    [
        ("polyps/val.txt", "val.txt: missing"),
        ("polyps/masks/p05.jpg", "p05.jpg: no mask; it should be at"),
        ("normals", "normals: no frames"),
    ],
)
def test_what_is_missing_is_named(broken, settings, gone, told):
    path = broken / gone
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    there = settings.model_copy(
        update={"polyps": str(broken / "polyps"), "normals": str(broken / "normals")}
    )
    with pytest.raises(HalfRealError, match=re.escape(told)):
        list_sources(there)
