import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from endoalign.world.layouts.pictures import (
    LabelledPicture,
    bounding_box,
    grey_mask,
    soft_mask,
    three_channels,
    write_lines,
    write_picture,
)


@given(st.integers(0, 2**31), st.integers(1, 40), st.integers(1, 40), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_any_mask_survives_jpeg_and_softening(tmp_path_factory, seed, height, width, share):
    mask = np.random.default_rng(seed).random((height, width)) < share
    path = tmp_path_factory.mktemp("m") / "m.jpg"
    write_picture(three_channels(mask), path)
    read = np.asarray(Image.open(path).convert("L"))
    assert np.array_equal(read > 127, mask)
    soft = soft_mask(mask)
    assert soft.dtype == np.uint8
    assert np.array_equal(soft > 127, mask)


def test_a_soft_mask_of_a_blob_is_not_binary():
    mask = np.zeros((9, 9), bool)
    mask[3:6, 3:6] = True
    assert set(np.unique(soft_mask(mask))) - {0, 255}


@pytest.mark.parametrize("ending", ["png", "tif", "bmp"])
def test_other_endings_are_exact(tmp_path, ending):
    rgb = np.random.default_rng(0).integers(0, 256, (7, 9, 3), dtype=np.uint8)
    write_picture(rgb, tmp_path / f"deep/er/a.{ending}")
    assert np.array_equal(np.asarray(Image.open(tmp_path / f"deep/er/a.{ending}")), rgb)
    assert [path.name for path in (tmp_path / "deep/er").iterdir()] == [f"a.{ending}"]


def test_an_unknown_ending_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"a\.gif: unknown ending; known: \.jpg, \.png"):
        write_picture(np.zeros((3, 3), np.uint8), tmp_path / "a.gif")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("rgb", "mask", "what"),
    [
        (np.zeros((4, 4)), None, "rgb is float64"),
        (np.zeros((4, 4), np.uint8), None, r"rgb is uint8 \(4, 4\)"),
        (np.zeros((4, 5, 3), np.uint8), np.zeros((5, 4), bool), r"mask is bool \(5, 4\)"),
        (np.zeros((4, 5, 3), np.uint8), np.zeros((4, 5), np.uint8), "mask is uint8"),
    ],
)
def test_wrong_arrays_are_refused(rgb, mask, what):
    with pytest.raises(ValueError, match=what):
        LabelledPicture(rgb, mask)


def test_bounding_boxes_against_a_loop():
    rng = np.random.default_rng(1)
    for _ in range(20):
        mask = rng.random((6, 8)) < 0.1
        pixels = [(x, y) for y in range(6) for x in range(8) if mask[y, x]]
        xs, ys = [x for x, _ in pixels], [y for _, y in pixels]
        expected = (min(xs), min(ys), max(xs), max(ys)) if pixels else None
        assert bounding_box(mask) == expected


def test_masks_are_0_and_255():
    mask = np.eye(3, dtype=bool)
    assert np.array_equal(grey_mask(mask), np.eye(3) * 255)
    assert three_channels(mask).shape == (3, 3, 3)


def test_lines_end_as_asked(tmp_path):
    write_lines(["a", "b"], tmp_path / "l.txt", end="\r\n")
    assert (tmp_path / "l.txt").read_bytes() == b"a\r\nb\r\n"
