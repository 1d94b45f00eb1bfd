import numpy as np
import pytest

from endoalign.frames.surround import inset_mask, surround_mask


def _tissue(height=80, width=100, seed=0):
    light = np.random.default_rng(seed).integers(90, 200, (height, width, 1))
    return (light * (1.0, 0.6, 0.5)).astype(np.uint8)


def _framed(colour, corners=4, scale=1):
    """Tissue with a square of ``colour`` in the first ``corners`` corners, and their mask."""
    rgb = _tissue(80 * scale, 100 * scale)
    mask = np.zeros(rgb.shape[:2], dtype=bool)
    near, far = slice(None, 20 * scale), slice(-20 * scale, None)
    for place in ((near, near), (near, far), (far, near), (far, far))[:corners]:
        rgb[place] = colour
        mask[place] = True
    return rgb, mask


@pytest.mark.parametrize(
    ("colour", "corners"),
    [((0, 0, 0), 1), ((25, 22, 24), 2), ((40, 60, 160), 3), ((10, 90, 90), 4)],
)
def test_corners_show_the_surround(colour, corners):
    rgb, mask = _framed(colour, corners)
    np.testing.assert_array_equal(surround_mask(rgb), mask)


@pytest.mark.parametrize(
    ("colour", "corners"), [((40, 60, 160), 2), ((200, 90, 80), 4), ((250, 250, 250), 4)]
)
def test_few_corners_tissue_and_glare_are_no_surround(colour, corners):
    assert surround_mask(_framed(colour, corners)[0]) is None


def test_a_smeared_outline_belongs_to_the_surround():
    rgb, mask = _framed((0, 0, 0))
    rgb[20, :20] = 30  # a row a quarter as bright as the tissue beside it
    mask[20, :20] = True
    np.testing.assert_array_equal(surround_mask(rgb), mask)


def test_noise_widens_the_tolerance():
    rgb, mask = _framed((20, 20, 20), scale=5)
    noise = np.random.default_rng(1).normal(0, 5, (int(mask.sum()), 3))
    rgb[mask] = np.clip(20 + noise, 0, 255).astype(np.uint8)
    assert surround_mask(rgb)[mask].mean() > 0.97


def test_an_inset_is_a_filled_cold_rectangle():
    rgb = _tissue()
    rgb[50:80, 0:30] = (20, 150, 120)
    rgb[60, 5:25] = (230, 230, 230)  # the drawing on it
    expected = np.zeros((80, 100), dtype=bool)
    expected[50:80, 0:30] = True
    np.testing.assert_array_equal(inset_mask(rgb), expected)


def test_what_is_no_inset():
    assert not inset_mask(_tissue()).any()
    warm = _tissue()
    warm[50:, :30] = (180, 90, 80)
    assert not inset_mask(warm).any()
    dye = _tissue()
    y, x = np.mgrid[0:80, 0:100]
    dye[np.abs(x - y) < 8] = (40, 90, 160)  # an oblique streak fills little of its box
    assert not inset_mask(dye).any()
    tiny = _tissue()
    tiny[:5, :5] = (20, 150, 120)
    assert not inset_mask(tiny).any()
