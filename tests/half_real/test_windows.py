import numpy as np
import pytest

from endoalign.half_real.picture import Picture
from endoalign.half_real.windows import COVERAGE, grid_of, pick_window, windows


def picture(polyp, content=None):
    content = np.ones_like(polyp) if content is None else content
    return Picture(np.zeros((*polyp.shape, 3), np.uint8), content, polyp)


@pytest.fixture
def beside():
    polyp = np.zeros((128, 192), bool)
    polyp[50:80, 10:60] = True
    return picture(polyp)


def test_windows_beside_a_polyp_hold_none_of_it(beside):
    found = windows(grid_of(beside), 0.5, with_polyp=False)
    assert found
    for box in found:
        assert not box.crop(beside.polyp).any()
        assert box.crop(beside.polyp).shape == (64, 96)


def test_windows_around_a_polyp_hold_all_of_it(beside):
    found = windows(grid_of(beside), 0.5, with_polyp=True)
    assert found
    assert all(box.crop(beside.polyp).sum() == beside.polyp.sum() for box in found)


def test_every_window_there_is_is_found(beside):
    """Against a loop over all places on the grid, with one cell around the polyp left free."""
    grid = grid_of(beside)
    guard = np.zeros_like(beside.polyp)
    guard[48:82, 8:62] = True
    expected = {
        (left, top)
        for top in range(0, 128 - 64 + 1, grid.stride)
        for left in range(0, 192 - 96 + 1, grid.stride)
        if not guard[top : top + 64, left : left + 96].any()
    }
    assert {(b.left, b.top) for b in windows(grid, 0.5, with_polyp=False)} == expected


def test_windows_keep_to_the_content(beside):
    content = np.zeros_like(beside.polyp)
    content[:, :150] = True
    rows, columns = np.mgrid[:128, :192]
    content &= rows + columns > 20
    cut = picture(beside.polyp, content)
    for share in (0.3, 0.5, 0.7):
        for box in windows(grid_of(cut), share, with_polyp=True):
            assert box.crop(content).mean() >= COVERAGE - 0.02
            assert box.right <= 150


def test_no_window_where_the_polyp_leaves_no_room():
    polyp = np.zeros((128, 128), bool)
    polyp[20:108, 20:108] = True
    grid = grid_of(picture(polyp))
    rng = np.random.default_rng(0)
    assert pick_window(grid, (0.45, 1.0), rng, with_polyp=False) is None
    assert pick_window(grid, (0.45, 0.6), rng, with_polyp=True) is None
    assert pick_window(grid, (0.45, 0.9), rng, with_polyp=True) is not None


def test_no_window_twice(beside):
    grid, rng, taken = grid_of(beside), np.random.default_rng(0), set()
    everything = {b for s in (0.6, 0.65) for b in windows(grid, s, with_polyp=False)}
    while (box := pick_window(grid, (0.6, 0.65), rng, with_polyp=False, taken=taken)) is not None:
        assert box not in taken
        taken.add(box)
    assert taken == everything


def test_windows_around_are_small_and_those_beside_large(beside):
    grid, rng = grid_of(beside), np.random.default_rng(0)
    around = [pick_window(grid, (0.3, 1.0), rng, with_polyp=True) for _ in range(50)]
    next_to = [pick_window(grid, (0.3, 1.0), rng, with_polyp=False) for _ in range(50)]
    widths = [{b.right - b.left for b in boxes} for boxes in (around, next_to)]
    smallest = min(b.right - b.left for b in windows(grid, 0.35, with_polyp=True))
    assert max(widths[0]) <= smallest + 0.1 * 192 + 3
    assert len(widths[0]) == len(widths[1]) == 3
