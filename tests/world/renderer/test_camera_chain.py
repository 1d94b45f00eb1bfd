import dataclasses

import numpy as np
import pytest

from endoalign.world.renderer.camera_chain import develop, expose, tone
from endoalign.world.renderer.overlays import draw_inset, draw_overlays, draw_text
from endoalign.world.renderer.processors import PROCESSORS

PLAIN = dataclasses.replace(
    PROCESSORS["centre_f"], gain=(1.0, 1.0, 1.0), noise=0.0, softness=0.0, sharpen=0.0, vignette=0.0
)
ALL = np.ones((32, 40), bool)


def _light(seed=0):
    return np.random.default_rng(seed).uniform(0.1, 1.0, (32, 40, 3)).astype(np.float32)


def test_exposure_meets_its_target_whatever_the_light():
    for factor in (0.01, 1.0, 50.0):
        luma = expose(_light() * factor, ALL, 0.7) @ np.array([0.3, 0.59, 0.11])
        assert np.percentile(luma, 88) == pytest.approx(0.7, rel=1e-3)


def test_exposure_of_nothing_is_nothing():
    dark = np.zeros((4, 4, 3), np.float32)
    assert not expose(dark, np.zeros((4, 4), bool), 0.7).any()
    assert np.isfinite(expose(dark, np.ones((4, 4), bool), 0.7)).all()


def test_tone_keeps_the_order_of_greys_and_the_range():
    ramp = np.repeat(np.linspace(0, 3, 40, dtype=np.float32)[None, :, None], 3, axis=2)
    value = tone(np.repeat(ramp, 4, axis=0), PLAIN, 0.0)
    assert value.min() >= 0.0
    assert value.max() <= 1.0
    assert (np.diff(value[0, :, 1]) >= -1e-6).all()
    np.testing.assert_allclose(value[..., 0], value[..., 2], atol=1e-5)


def test_white_balance_warms():
    grey = np.full((2, 2, 3), 0.3, np.float32)
    warm = tone(grey, dataclasses.replace(PLAIN, gain=(1.2, 1.0, 0.8)), 0.0)
    assert (warm[..., 0] > warm[..., 1]).all()
    assert (warm[..., 1] > warm[..., 2]).all()


def test_defocus_and_motion_lower_the_sharpness():
    def sharpness(**options):
        frame = develop(_light(), ALL, PLAIN, np.random.default_rng(1), **options)
        return np.abs(np.diff(frame.astype(float), axis=1)).mean()

    clean = sharpness()
    assert sharpness(defocus=0.05) < 0.5 * clean
    assert sharpness(motion=(0.2, 0.0)) < 0.6 * clean


def test_the_border_stays_black_and_the_bytes_repeat():
    content = ALL.copy()
    content[:, :7] = False
    noisy = dataclasses.replace(PLAIN, noise=0.05)
    first, second = (develop(_light(), content, noisy, np.random.default_rng(3)) for _ in range(2))
    assert not first[:, :7].any()
    assert first.dtype == np.uint8
    assert (first == second).all()


def test_text_and_inset_are_drawn_on_a_copy():
    blank = np.full((64, 80, 3), 90, np.uint8)
    written = draw_text(blank, "left", 0.06, np.random.default_rng(0))
    boxed = draw_inset(blank, "green", np.random.default_rng(0))
    assert (blank == 90).all()
    assert (written != 90).any()
    assert (boxed[-1, 0] == (20, 70, 45)).all()
    assert (boxed[0] == 90).all()


def test_overlays_follow_the_processor():
    blank = np.full((64, 80, 3), 90, np.uint8)
    plain = dataclasses.replace(PLAIN, inset=None, text=None)
    assert (draw_overlays(blank, plain, 1) == 90).all()
    marked = dataclasses.replace(PLAIN, inset="black", text="top")
    shown = [bool((draw_overlays(blank, marked, seed) != 90).any()) for seed in range(12)]
    assert sum(shown) > 6
