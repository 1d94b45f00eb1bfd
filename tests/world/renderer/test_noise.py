import numpy as np
import pytest

from endoalign.world.renderer.noise import cell_edge, cell_noise, gradient_noise, value_noise

POINTS = [tuple(p) for p in np.random.default_rng(0).uniform(-40, 40, (40, 3))]


@pytest.mark.parametrize("point", POINTS[:20])
def test_gradient_noise_returns_the_slope_of_its_value(point):
    _, slope = gradient_noise(point)
    step = 1e-5
    for axis in range(3):
        ahead, behind = list(point), list(point)
        ahead[axis] += step
        behind[axis] -= step
        numeric = (gradient_noise(tuple(ahead))[0] - gradient_noise(tuple(behind))[0]) / (2 * step)
        assert slope[axis] == pytest.approx(numeric, abs=1e-5)


def test_gradient_noise_vanishes_on_the_lattice():
    assert gradient_noise((3.0, -7.0, 12.0))[0] == pytest.approx(0.0, abs=1e-12)


def test_value_noise_is_continuous_across_cells_and_varies():
    values = [value_noise(point) for point in POINTS]
    assert -1.0 <= min(values) < -0.2
    assert 0.2 < max(values) <= 1.0
    for x in (-3.0, 0.0, 5.0):
        below, above = value_noise((x - 1e-7, 0.4, 0.7)), value_noise((x + 1e-7, 0.4, 0.7))
        assert below == pytest.approx(above, abs=1e-5)


@pytest.mark.parametrize("point", POINTS[:12])
def test_cell_noise_names_the_nearest_point(point):
    d, away = cell_noise(point)
    nearest = np.array(point) - np.array(away)
    assert d == pytest.approx(np.sum(np.square(away)))
    # The point it names is a fixed point: from there the distance is nil.
    assert cell_noise(tuple(nearest))[0] == pytest.approx(0.0, abs=1e-9)
    # No neighbouring probe leads to a nearer point.
    for shift in np.random.default_rng(1).normal(0, 0.6, (60, 3)):
        probe = np.array(point) + shift
        other = probe - np.array(cell_noise(tuple(probe))[1])
        assert np.sum((other - np.array(point)) ** 2) >= d - 1e-9


@pytest.mark.parametrize("point", POINTS[:12])
def test_cell_edge_is_the_distance_to_the_border_plane(point):
    away, normal = cell_edge(point)
    assert np.linalg.norm(normal) == pytest.approx(1.0)
    assert away >= 0.0
    # Stepping that far to one side lands on the border, where both points are equally near.
    reached = [cell_edge(tuple(np.array(point) + s * away * np.array(normal)))[0] for s in (-1, 1)]
    assert min(reached) == pytest.approx(0.0, abs=1e-6)
