import numpy as np
from scipy.spatial import Delaunay

from endoalign.frames.convex import fill_convex


def _filled_by_triangles(mask):
    """Oracle: a pixel is in the hull when it lies in a triangle of the points' triangulation."""
    points = np.argwhere(mask)
    grid = np.argwhere(np.ones_like(mask))
    return (Delaunay(points).find_simplex(grid, tol=1e-9) >= 0).reshape(mask.shape)


def test_equals_triangulation_of_random_points():
    rng = np.random.default_rng(1)
    for _ in range(30):
        mask = rng.random((17, 23)) < 0.06
        mask[3, 4] = mask[12, 7] = mask[5, 19] = True
        np.testing.assert_array_equal(fill_convex(mask), _filled_by_triangles(mask))


def test_empty_point_and_line():
    empty = np.zeros((5, 6), dtype=bool)
    np.testing.assert_array_equal(fill_convex(empty), empty)
    point = empty.copy()
    point[2, 3] = True
    np.testing.assert_array_equal(fill_convex(point), point)
    ends = empty.copy()
    ends[0, 0] = ends[4, 4] = True
    np.testing.assert_array_equal(fill_convex(ends), np.eye(5, 6, dtype=bool))


def test_convex_shapes_stay_as_they_are():
    y, x = np.mgrid[0:40, 0:50]
    disc = (x - 24) ** 2 + (y - 20) ** 2 <= 15**2
    np.testing.assert_array_equal(fill_convex(disc), disc)
