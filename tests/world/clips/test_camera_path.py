from itertools import pairwise

import numpy as np
import pytest

from endoalign.world.renderer.anatomy import build_wall
from endoalign.world.renderer.camera_path import LEAST_CLEARANCE, camera_path
from endoalign.world.renderer.camera_path_motion import MOVES, nearness, smoothed, sway
from endoalign.world.renderer.distance import axis_at
from endoalign.world.renderer.placement import NO_TOOL, clearance, wall_point
from endoalign.world.renderer.scene import LESION_DTYPE, Camera

NONE = np.zeros(0, LESION_DTYPE)
TIMES = np.arange(100) / 25.0


def _path(move, seed, region="sigmoid_colon", times=TIMES):
    rng = np.random.default_rng(seed)
    wall = build_wall(region, rng)
    x, y, _ = axis_at(wall, 3.0)
    key = Camera(x, y, 3.0, np.eye(3), 1.0, 0.0, 0.3, 1.0, 2.0)
    spot = np.array(wall_point(wall, rng.uniform(0, 2 * np.pi), 4.5))
    return wall, key, spot, camera_path(wall, NONE, key, spot, move, times, rng)


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("seed", range(4))
def test_paths_are_smooth_and_clear_of_the_walls(move, seed):
    wall, key, _, cameras = _path(move, seed)
    assert len(cameras) == 100
    points = np.array([(c.x, c.y, c.z) for c in cameras])
    for point in points:
        assert clearance(wall, NONE, NO_TOOL, point) > 0.9 * LEAST_CLEARANCE
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).max() * 25 < 8.0  # cm a second
    for one, two in pairwise(cameras):
        assert np.allclose(one.rotation @ one.rotation.T, np.eye(3), atol=1e-9)
        assert np.linalg.det(one.rotation) == pytest.approx(np.linalg.det(key.rotation))
        turn = np.arccos(np.clip((np.trace(two.rotation @ one.rotation.T) - 1) / 2, -1, 1))
        assert turn < 0.35  # no flip
    assert {(c.half_view, c.falloff) for c in cameras} == {(1.0, 2.0)}


@pytest.mark.parametrize("seed", range(4))
def test_an_approach_ends_and_a_withdrawal_begins_with_the_spot_in_view(seed):
    for move, number in (("approach", -1), ("withdrawal", 0), ("inspection", 50)):
        _, key, spot, cameras = _path(move, seed)
        camera = cameras[number]
        way = spot - (camera.x, camera.y, camera.z)
        angle = np.arccos(way @ camera.rotation[2] / np.linalg.norm(way))
        assert angle < 0.6
    assert _path("approach", seed)[3][0].z < key.z - 0.8


def test_nearness_by_hand():
    rng = np.random.default_rng
    up, down = (nearness(move, TIMES, rng(3)) for move in ("approach", "withdrawal"))
    assert up[0] == down[-1] == 0
    assert up[-1] == down[0] == 1
    assert (np.diff(up) >= 0).all()
    assert down == pytest.approx(up[::-1])
    still = nearness("inspection", TIMES, rng(3))
    assert still.min() >= 0.7
    assert still.max() <= 1.0
    with pytest.raises(ValueError, match="'dance' is unknown; use one of approach"):
        nearness("dance", TIMES, rng(3))


def test_one_frame_none_and_a_bad_move():
    assert len(_path("approach", 0, times=np.zeros(1))[3]) == 1
    with pytest.raises(ValueError, match="at least one frame"):
        _path("approach", 0, times=np.zeros(0))
    with pytest.raises(ValueError, match="'dance' is unknown"):
        _path("dance", 0)


def test_sway_and_smoothing():
    many = np.array([sway(TIMES, 0.3, (0.5, 2.0), np.random.default_rng(i)) for i in range(100)])
    assert many.shape == (100, 100, 3)
    assert np.sqrt((many**2).mean()) == pytest.approx(0.3, rel=0.15)
    flat = np.full((10, 3), 2.0)
    assert smoothed(flat, TIMES[:10], 0.1) == pytest.approx(flat)
    spike = np.zeros((51, 3))
    spike[25] = 1.0
    blurred = smoothed(spike, TIMES[:51], 0.08)
    assert blurred.sum(0) == pytest.approx([1.0] * 3, abs=1e-6)
    assert blurred[25, 0] == pytest.approx(1 / (2.0 * np.sqrt(2 * np.pi)), rel=0.05)  # sigma 2
