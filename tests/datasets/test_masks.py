import numpy as np
import pytest
from PIL import Image

from endoalign.datasets.masks import mask_values, pair_problem, read_mask

MASK = np.zeros((20, 30), bool)
MASK[5:15, 8:25] = True
GREY = np.where(MASK, 255, 0).astype(np.uint8)


def save(path, pixels, **options):
    Image.fromarray(pixels).save(path, **options)
    return path


@pytest.mark.parametrize("ending", ["png", "jpg", "tif", "bmp"])
@pytest.mark.parametrize("channels", [1, 3])
def test_masks_of_any_file_are_read_alike(tmp_path, ending, channels):
    pixels = GREY if channels == 1 else np.stack([GREY] * 3, axis=2)
    mask = read_mask(save(tmp_path / f"m.{ending}", pixels))
    assert mask.dtype == bool
    assert np.array_equal(mask, MASK)


def test_one_bit_palette_alpha_and_deep_masks(tmp_path):
    grey = Image.fromarray(GREY)
    grey.convert("1").save(tmp_path / "one_bit.png")
    grey.convert("P").save(tmp_path / "palette.png")
    grey.convert("RGBA").save(tmp_path / "alpha.png")
    grey.convert("LA").save(tmp_path / "grey_alpha.png")
    Image.fromarray(GREY.astype(np.uint16) * 257).save(tmp_path / "deep.png")
    Image.fromarray((GREY / 255).astype(np.float32)).save(tmp_path / "real.tif")
    for path in sorted(tmp_path.iterdir()):
        assert np.array_equal(read_mask(path), MASK), path.name


def test_the_threshold_is_above_127(tmp_path):
    path = save(tmp_path / "m.png", np.array([[0, 1, 127, 128, 254, 255]], np.uint8))
    assert read_mask(path).tolist() == [[False, False, False, True, True, True]]
    values = mask_values(path)
    assert (values.lowest, values.highest) == (0, 255)
    assert values.between == pytest.approx(4 / 6)


def test_a_binary_mask_has_nothing_between(tmp_path):
    assert mask_values(save(tmp_path / "m.png", GREY)).between == 0


def test_an_unreadable_mask_is_named(tmp_path):
    path = tmp_path / "m.png"
    path.write_bytes(b"no picture")
    with pytest.raises(ValueError, match=r"m\.png: no readable mask"):
        read_mask(path)
    whole = save(tmp_path / "w.png", np.random.default_rng(0).integers(0, 255, (64, 64), np.uint8))
    path.write_bytes(whole.read_bytes()[:1000])
    with pytest.raises(ValueError, match=r"m\.png: no readable mask"):
        read_mask(path)


def test_pairs_of_one_size_have_no_problem(tmp_path):
    save(tmp_path / "a.jpg", np.zeros((20, 30, 3), np.uint8))
    save(tmp_path / "m.png", GREY)
    save(tmp_path / "turned.png", GREY.T.copy())
    (tmp_path / "broken.png").write_bytes(b"x")
    assert pair_problem(tmp_path, "a.jpg", "m.png") is None
    wrong = pair_problem(tmp_path, "a.jpg", "turned.png")
    assert wrong.kind == "odd"
    assert wrong.path == "turned.png"
    assert "mask of 20 x 30 pixels for a.jpg of 30 x 20" in wrong.what
    assert pair_problem(tmp_path, "a.jpg", "broken.png").path == "broken.png"
    assert pair_problem(tmp_path, "broken.png", "m.png").path == "broken.png"
