import numpy as np
import pytest

from endoalign.world.renderer.overlays import draw_inset, draw_text


def grey(height):
    return np.full((height, round(1.2 * height), 3), 90, dtype=np.uint8)


@pytest.mark.parametrize("height", [64, 256])
def test_text_brightens_its_place_alone(height):
    drawn = draw_text(grey(height), "left", 0.03, np.random.default_rng(0))
    changed = (drawn != 90).any(axis=2)
    rows, columns = np.nonzero(changed)
    assert drawn.shape == grey(height).shape
    assert drawn.dtype == np.uint8
    assert (drawn[changed] >= 90).all()
    assert rows.min() >= 0.18 * height
    assert columns.max() < 0.5 * drawn.shape[1]


def test_small_frames_get_fainter_letters_than_large_ones():
    brightest = [
        int(draw_text(grey(height), "top", 0.03, np.random.default_rng(3)).max())
        for height in (64, 480)
    ]
    assert brightest[0] < brightest[1]


def test_inset_covers_the_lower_left_corner():
    drawn = draw_inset(grey(100), "black", np.random.default_rng(1))
    assert (drawn[-1, 0] == 0).all()
    assert (drawn[0] == 90).all()
    assert (drawn[:, -1] == 90).all()
