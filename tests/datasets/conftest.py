import numpy as np
import pytest

from endoalign.world.layouts.pictures import LabelledPicture


@pytest.fixture
def make_pictures():
    """Return random pictures with a blob as mask, each of its own size."""

    def make(count, seed=0, shape=None):
        rng = np.random.default_rng(seed)
        return [_picture(rng, shape or tuple(rng.integers(24, 48, size=2))) for _ in range(count)]

    return make


def _picture(rng, shape):
    height, width = shape
    rows, columns = np.mgrid[:height, :width]
    top, left = rng.integers(8, height - 8), rng.integers(8, width - 8)
    mask = (rows - top) ** 2 + (columns - left) ** 2 < rng.integers(3, 7) ** 2
    rgb = rng.integers(0, 256, (height, width, 3), dtype=np.uint8)
    return LabelledPicture(rgb, mask, {"class": "polyp"})
