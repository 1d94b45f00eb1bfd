import numpy as np
import pytest

from endoalign.world.renderer.anatomy import build_wall
from endoalign.world.renderer.lens import frame_rays, pixel_ray, rotation_towards
from endoalign.world.renderer.lesion_shape import lesion_record
from endoalign.world.renderer.placement import (
    NO_TOOL,
    clearance,
    head_centre,
    look_beside,
    place_lesion,
    sight,
    wall_normal,
    wall_point,
)
from endoalign.world.renderer.scene import FOLD_FIELDS, LESION_DTYPE, Camera
from endoalign.world.truth import Lesion

NO_LESIONS = np.zeros(0, LESION_DTYPE)


@pytest.fixture(scope="module")
def tube():
    return build_wall("descending_colon", np.random.default_rng(0))._replace(
        radius=2.0, triangle=0.0, bend=0.0, undulation=0.0, folds=np.zeros((0, FOLD_FIELDS))
    )


def test_points_and_normals_of_a_tube(tube):
    for angle in (0.0, 1.0, 4.0):
        point = wall_point(tube, angle, 3.0)
        assert point == pytest.approx((2 * np.cos(angle), 2 * np.sin(angle), 3.0), abs=5e-3)
        normal = wall_normal(tube, *point, 0.1)
        assert normal == pytest.approx((-np.cos(angle), -np.sin(angle), 0.0), abs=5e-3)


def test_a_placed_lesion_stands_on_the_wall_upright(tube):
    record = lesion_record(Lesion("L", "rectum", 5.0, 3.0, "0-Is", 0.8, "red", (), 1))
    place_lesion(record, tube, 0.7, 4.0, 2.0)
    axes = np.array([[record[f"{row}{axis}"] for axis in "xyz"] for row in "uvw"])
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-9)
    assert np.hypot(record["x"], record["y"]) == pytest.approx(2.0, abs=5e-3)
    assert np.hypot(*head_centre(record)[:2]) < 2.0


def test_clearance_and_sight(tube):
    assert clearance(tube, NO_LESIONS, NO_TOOL, np.array([0.5, 0.0, 1.0])) == pytest.approx(1.5)
    start = np.zeros(3)
    assert sight(tube, NO_LESIONS, NO_TOOL, start, np.array([0.0, 1.5, 1.0])) == 1.0
    through = sight(tube, NO_LESIONS, NO_TOOL, start, np.array([4.0, 0.0, 0.0]))
    assert through == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("angle", [0.0, 0.4, 1.2])
def test_looking_beside_keeps_the_angle(angle):
    ahead = np.array([0.3, -0.2, 2.0])
    aside = look_beside(ahead, angle, 1.1)
    assert np.linalg.norm(aside) == pytest.approx(1.0)
    cosine = aside @ ahead / np.linalg.norm(ahead)
    assert np.arccos(np.clip(cosine, -1, 1)) == pytest.approx(angle, abs=1e-6)


def test_the_lens_is_equidistant():
    rotation = rotation_towards(np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0]), 0.0)
    camera = Camera(0.0, 0.0, 0.0, rotation, 1.0, 0.0, 0.3, 1.0, 2.0)
    assert pixel_ray(camera, 50.0, 50.0, 100, 100) == pytest.approx((0.0, 0.0, 1.0), abs=1e-9)
    for share in (0.25, 0.5, 1.0):
        ray = pixel_ray(camera, 50.0, 50.0 - 50.0 * share, 100, 100)
        assert ray == pytest.approx((0.0, np.sin(share), np.cos(share)), abs=1e-9)
    rays = frame_rays(camera, 6, 8)
    assert rays.shape == (6, 8, 3)
    np.testing.assert_allclose(np.linalg.norm(rays, axis=2), 1.0)
    assert rays[0, 0] == pytest.approx(pixel_ray(camera, 0.5, 0.5, 6, 8))
