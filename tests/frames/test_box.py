import numpy as np
import pytest

from endoalign.frames.box import Box, box_of_mask


def _pixels(box):
    return {(y, x) for y in range(box.top, box.bottom) for x in range(box.left, box.right)}


def test_iou_equals_counting_pixels():
    rng = np.random.default_rng(0)
    for _ in range(100):
        a, b = (Box(x, y, x + w, y + h) for x, y, w, h in rng.integers(0, 9, (2, 4)).tolist())
        union = _pixels(a) | _pixels(b)
        expected = len(_pixels(a) & _pixels(b)) / len(union) if union else 0.0
        assert a.iou(b) == pytest.approx(expected)
        assert a.area == len(_pixels(a))


def test_crop_is_half_open_and_a_view():
    image = np.arange(5 * 6 * 3).reshape(5, 6, 3)
    crop = Box(1, 2, 4, 5).crop(image)
    np.testing.assert_array_equal(crop, image[2:5, 1:4])
    assert np.shares_memory(crop, image)


def test_box_of_mask_finds_the_outermost_pixels():
    mask = np.zeros((7, 9), dtype=bool)
    assert box_of_mask(mask) is None
    mask[2, 3] = mask[5, 1] = True
    assert box_of_mask(mask) == Box(1, 2, 4, 6)


def test_rescaled_follows_the_picture():
    assert Box(10, 20, 30, 40).rescaled((100, 50), (200, 150)) == Box(20, 60, 60, 120)
    assert Box(0, 0, 100, 50).rescaled((100, 50), (199, 99)) == Box(0, 0, 199, 99)
