import math

import numpy as np
import pytest

from endoalign.vocabulary import COLON_REGIONS
from endoalign.world.renderer.anatomy import build_wall
from endoalign.world.renderer.distance import axis_at, wall_distance
from endoalign.world.renderer.march import FAR, NEAR, free_cone, normal_at, openness, trace
from endoalign.world.renderer.scene import FOLD_FIELDS, LESION_DTYPE, Tool

NO_LESIONS = np.zeros(0, LESION_DTYPE)
NO_TOOL = Tool(*[0.0] * 10)


@pytest.fixture(scope="module")
def tube():
    """A straight round tube of radius 2 cm without folds, open at both ends."""
    return build_wall("descending_colon", np.random.default_rng(0))._replace(
        radius=2.0, triangle=0.0, bend=0.0, undulation=0.0, folds=np.zeros((0, FOLD_FIELDS))
    )


def _rays(count, seed):
    rays = np.random.default_rng(seed).normal(size=(count, 3))
    return rays / np.linalg.norm(rays, axis=1, keepdims=True)


def test_depth_in_a_tube_is_that_of_the_cylinder(tube):
    for x, y, z in _rays(60, 0):
        depth = trace(tube, NO_LESIONS, NO_TOOL, (0.5, 0.0, 0.0), (x, y, z), NEAR, 0.001)
        a, b = x * x + y * y, 0.5 * x
        exact = (-b + math.sqrt(b * b + a * (4.0 - 0.25))) / a
        assert depth == pytest.approx(exact, abs=0.01 * exact) or exact > FAR * 0.9


def test_a_ray_along_the_axis_meets_nothing(tube):
    assert trace(tube, NO_LESIONS, NO_TOOL, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), NEAR, 0.01) == FAR


def test_normals_of_a_tube_point_to_its_axis(tube):
    normal = normal_at(tube, NO_LESIONS, NO_TOOL, (1.2, -1.6, 3.0), 0.01)
    assert normal == pytest.approx((-0.6, 0.8, 0.0), abs=5e-3)


def test_a_plain_wall_is_open_and_a_slit_is_not(tube):
    assert openness(tube, NO_LESIONS, NO_TOOL, (2.0, 0.0, 0.0), (-1.0, 0.0, 0.0)) == pytest.approx(
        1.0, abs=1e-6
    )
    narrow = tube._replace(radius=0.1)
    assert openness(narrow, NO_LESIONS, NO_TOOL, (0.1, 0.0, 0.0), (-1.0, 0.0, 0.0)) < 0.3


def _fine_walk(wall, eye, ray):
    """First surface by steps of a tenth of a millimetre."""
    t = NEAR
    while t < 12.0 and wall_distance(wall, *(np.array(eye) + t * ray)) > 0.0:
        t += 0.01
    return t


@pytest.mark.parametrize("region", COLON_REGIONS)
def test_long_steps_find_what_a_fine_walk_finds(region):
    wall = build_wall(region, np.random.default_rng(4))
    x, y, _ = axis_at(wall, 0.0)
    eye = (x, y, 0.0)
    rays = _rays(40, 5)
    missed = 0
    for ray in rays:
        found = trace(wall, NO_LESIONS, NO_TOOL, eye, tuple(ray), NEAR, 0.005)
        walked = _fine_walk(wall, eye, ray)
        missed += walked < 12.0 and abs(found - walked) > 0.03 + 0.03 * walked
    assert missed <= 1


def test_the_start_of_a_block_lies_before_its_surfaces():
    wall = build_wall("sigmoid_colon", np.random.default_rng(6))
    x, y, _ = axis_at(wall, 0.0)
    eye, angle = (x, y, 0.0), 0.08
    for ray in _rays(30, 7):
        start = free_cone(wall, NO_LESIONS, NO_TOOL, eye, tuple(ray), angle)
        for shift in _rays(4, 8):
            side = ray + 0.7 * angle * shift
            side /= np.linalg.norm(side)
            hit = trace(wall, NO_LESIONS, NO_TOOL, eye, tuple(side), NEAR, 0.005)
            assert start <= hit + 0.02
