import dataclasses

import numpy as np
import pytest

from endoalign.world.renderer.camera_path_develop import (
    SHUTTER,
    Exposure,
    SteadyChance,
    develop_in_clip,
    smear,
)
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.renderer.scene import Camera

CAMERA = Camera(0.0, 0.0, 0.0, np.eye(3), 0.9, 0.0, 0.3, 1.0, 2.0)
CONTENT = np.ones((16, 16), bool)
LIGHT = np.full((16, 16, 3), 0.2, np.float32)


def test_settings_are_steady_and_grain_is_new():
    one, two, other = SteadyChance(5, 0), SteadyChance(5, 1), SteadyChance(6, 0)
    draws = [(c.uniform(), c.normal(), c.random(), int(c.integers(9))) for c in (one, two, other)]
    assert draws[0] == draws[1] != draws[2]
    assert (one.standard_normal(8) != two.standard_normal(8)).all()
    assert (SteadyChance(5, 1).standard_normal(8) == SteadyChance(5, 1).standard_normal(8)).all()


def test_frames_of_a_clip_differ_by_grain_only():
    silent = dataclasses.replace(PROCESSORS["centre_a"], noise=0.0)
    pictures = [develop_in_clip(LIGHT, CONTENT, silent, 3, k, 0.7, (0.0, 0.0)) for k in range(3)]
    assert (pictures[0] == pictures[1]).all()
    assert (pictures[0] == pictures[2]).all()
    noisy = [
        develop_in_clip(LIGHT, CONTENT, PROCESSORS["centre_h"], 3, k, 0.7, (0.0, 0.0))
        for k in range(2)
    ]
    assert (noisy[0] != noisy[1]).any()


def test_exposure_lags_and_settles():
    exposure = Exposure(0.6, 25.0)
    assert exposure.next(LIGHT, CONTENT) == pytest.approx(0.6)
    assert exposure.next(LIGHT, CONTENT) == pytest.approx(0.6)
    brighter = [exposure.next(1.5 * LIGHT, CONTENT) for _ in range(50)]
    share = np.exp(-1.0 / (25.0 * 0.2))
    for number, target in enumerate(brighter, start=1):
        assert target == pytest.approx(0.6 * 1.5 ** (share**number), rel=1e-5)
    assert exposure.next(LIGHT * 0, np.zeros_like(CONTENT)) > 0  # no content


def test_smear_of_a_known_turn():
    assert smear(CAMERA, CAMERA, 25.0) == (0.0, 0.0)
    angle = 0.1
    cos, sin = np.cos(angle), np.sin(angle)
    yaw = CAMERA._replace(rotation=np.array([[cos, 0, -sin], [0, 1, 0], [sin, 0, cos]]))
    pitch = CAMERA._replace(rotation=np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]]))
    expected = sin * 25.0 * SHUTTER / 1.8
    assert smear(CAMERA, yaw, 25.0) == pytest.approx((expected, 0.0))
    assert smear(CAMERA, pitch, 25.0) == pytest.approx((0.0, -expected))
    behind = CAMERA._replace(rotation=np.diag([-1.0, 1.0, -1.0]))
    assert smear(CAMERA, behind, 25.0) == (0.0, 0.0)
