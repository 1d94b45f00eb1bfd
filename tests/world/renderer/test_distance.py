import math

import numpy as np
import pytest

from endoalign.vocabulary import COLON_REGIONS
from endoalign.world.renderer.anatomy import build_wall
from endoalign.world.renderer.distance import (
    axis_at,
    smooth_min,
    tool_distance,
    wall_distance,
)
from endoalign.world.renderer.scene import FOLD_FIELDS, LESION_DTYPE, Tool

NO_LESIONS = np.zeros(0, LESION_DTYPE)
NO_TOOL = Tool(*[0.0] * 10)


def straight_tube(radius=2.0):
    wall = build_wall("descending_colon", np.random.default_rng(0))
    return wall._replace(
        radius=radius,
        triangle=0.0,
        bend=0.0,
        undulation=0.0,
        folds=np.zeros((0, FOLD_FIELDS)),
        end=99.0,
        valve=0.0,
        orifice=0.0,
    )


@pytest.mark.parametrize("a, b", [(0.3, 0.9), (0.5, 0.5), (-0.1, 0.05), (2.0, 0.0)])
def test_smooth_min_rounds_the_crease_only(a, b):
    k = 0.2
    expected = min(a, b)
    if abs(a - b) < k:
        expected -= (k - abs(a - b)) ** 2 / (4 * k)
    assert smooth_min(a, b, k) == pytest.approx(expected)


@pytest.mark.parametrize("r, z", [(0.0, 0.0), (1.2, 4.0), (1.9, -3.0), (2.4, 7.0)])
def test_a_straight_tube_has_the_distance_of_a_cylinder(r, z):
    assert wall_distance(straight_tube(), 0.6 * r, 0.8 * r, z) == pytest.approx(2.0 - r, abs=1e-6)


def test_the_axis_bends_by_the_stated_angle():
    wall = straight_tube()._replace(bend=0.5, bend_at=5.0, bend_round=1.0, bend_x=1.0, bend_y=0.0)
    assert axis_at(wall, 0.0)[:2] == pytest.approx((0.0, 0.0))
    assert axis_at(wall, -200.0)[2] == pytest.approx(-0.5, abs=1e-3)
    assert axis_at(wall, 200.0)[2] == pytest.approx(0.5, abs=1e-3)
    step = 1e-5
    slope = (axis_at(wall, 3.0 + step)[0] - axis_at(wall, 3.0 - step)[0]) / (2 * step)
    assert axis_at(wall, 3.0)[2] == pytest.approx(slope, abs=1e-5)


def test_instrument_distance_against_a_naive_walk_along_it():
    tool = Tool(0.0, -1.0, 0.0, 0.5, 0.5, 3.0, 0.1, 0.5, 0.5, 0.5)
    for x, y, z in np.random.default_rng(2).uniform(-2, 4, (20, 3)):
        naive = min(
            math.dist((x, y, z), (0.5 * h, -1.0 + 1.5 * h, 3.0 * h))
            for h in np.linspace(0, 1, 4001)
        )
        assert tool_distance(tool, x, y, z) == pytest.approx(naive - 0.1, abs=1e-3)
    assert tool_distance(NO_TOOL, 0.0, 0.0, 0.0) == 99.0


@pytest.mark.parametrize("region", COLON_REGIONS)
def test_the_axis_of_every_segment_is_free(region):
    for seed in range(20):
        wall = build_wall(region, np.random.default_rng(seed))
        x, y, _ = axis_at(wall, 0.0)
        assert wall_distance(wall, x, y, 0.0) > 0.25
