from itertools import pairwise

import numpy as np
import pytest
from scipy import ndimage

from endoalign.frames.quality import WORKING_SIDE, measure_quality


def _tissue(height=200, width=240, seed=0):
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width] / height
    light = 0.45 + 0.15 * np.sin(20 * x) * np.cos(14 * y) + rng.normal(0, 0.05, (height, width))
    return (np.clip(light[..., None] * (0.95, 0.55, 0.45) + 0.05, 0, 1) * 255).astype(np.uint8)


def _brighter(gain):
    return np.minimum(_tissue() * gain, 255).astype(np.uint8)


def _measure(rgb):
    return measure_quality(rgb, np.ones(rgb.shape[:2], dtype=bool))


def _falls(values):
    return all(later < earlier for earlier, later in pairwise(values))


def test_sharpness_and_score_fall_with_blur():
    sharp = _tissue().astype(float)
    blurred = [ndimage.gaussian_filter(sharp, (s, s, 0)) for s in (0, 0.5, 1, 2, 4, 8)]
    found = [_measure(frame.astype(np.uint8)) for frame in blurred]
    assert _falls([quality.sharpness for quality in found])
    assert _falls([quality.score for quality in found])
    assert found[0].sharpness > 0.5
    assert found[-1].sharpness < 0.1


def test_exposure_and_score_fall_with_over_exposure():
    found = [_measure(_brighter(gain)) for gain in (1.0, 2.6, 3.0, 3.4)]
    assert _falls([quality.exposure for quality in found])
    assert _falls([quality.score for quality in found])


def test_exposure_counts_dark_once_and_burnt_out_twice():
    rgb = np.full((100, 100, 3), 128, dtype=np.uint8)
    rgb[:30] = 5
    rgb[-20:] = 255
    assert _measure(rgb).exposure == pytest.approx(1 - 0.3 - 2 * 0.2)
    assert _measure(np.full_like(rgb, 255)).exposure == 0


def test_colour_is_that_of_tissue():
    tissue = _tissue()
    assert _measure(tissue).colour > 0.9
    grey = np.repeat(tissue[..., :1], 3, axis=2)
    assert _measure(grey).colour == pytest.approx(0, abs=1e-6)
    assert _measure(tissue[..., ::-1]).colour == pytest.approx(0, abs=1e-6)


def test_colour_by_hand_on_four_pixels():
    rgb = np.array([[[200, 100, 50], [200, 170, 180], [100, 200, 100], [2, 0, 0]]], dtype=np.uint8)
    expected = (1 + (1 - 170 / 200) / 0.3 + 0) / 3  # the dark pixel has no say
    assert _measure(rgb).colour == pytest.approx(expected, abs=1e-6)


def test_score_is_the_geometric_mean():
    quality = _measure(_tissue())
    parts = quality.sharpness * quality.exposure * quality.colour
    assert quality.score == pytest.approx(parts ** (1 / 3))
    assert 0 < quality.score < 1


def test_only_the_content_counts():
    tissue = _tissue()
    framed = np.zeros((300, 400, 3), dtype=np.uint8)
    mask = np.zeros((300, 400), dtype=bool)
    mask[50:250, 80:320] = True
    framed[mask] = tissue.reshape(-1, 3)
    bare, inside = _measure(tissue), measure_quality(framed[40:260, 70:330], mask[40:260, 70:330])
    assert inside.exposure == pytest.approx(bare.exposure, abs=0.01)
    assert inside.colour == pytest.approx(bare.colour, abs=0.01)
    assert inside.sharpness == pytest.approx(bare.sharpness, abs=0.08)


def test_brightness_of_the_lamp_does_not_change_sharpness():
    tissue = _tissue().astype(float)
    dim, bright = (_measure((tissue * gain).astype(np.uint8)).sharpness for gain in (0.5, 1.0))
    assert dim == pytest.approx(bright, abs=0.02)


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (500, 1), (WORKING_SIDE, WORKING_SIDE)])
@pytest.mark.parametrize("level", [0, 255])
def test_degenerate_frames_score_zero(shape, level):
    quality = _measure(np.full((*shape, 3), level, dtype=np.uint8))
    assert quality.score == 0


def test_an_empty_mask_scores_zero():
    quality = measure_quality(_tissue(), np.zeros((200, 240), dtype=bool))
    assert (quality.score, quality.sharpness, quality.exposure, quality.colour) == (0, 0, 0, 0)
