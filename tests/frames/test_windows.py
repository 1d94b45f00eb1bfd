import numpy as np
import pytest
from scipy import ndimage

from endoalign.frames.windows import window_max, window_min


@pytest.mark.parametrize("side", [1, 3, 5, 7, 9, 17, 31])
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (12, 7), (40, 33)])
def test_equals_scipy(side, shape):
    image = np.random.default_rng(side).integers(0, 256, shape, dtype=np.uint8)
    for ours, theirs in (
        (window_min, ndimage.minimum_filter),
        (window_max, ndimage.maximum_filter),
    ):
        np.testing.assert_array_equal(ours(image, side), theirs(image, side, mode="nearest"))


@pytest.mark.parametrize("side", [0, 2, -3])
def test_other_sides_are_refused(side):
    with pytest.raises(ValueError, match="not an odd number"):
        window_min(np.zeros((3, 3), dtype=np.uint8), side)
