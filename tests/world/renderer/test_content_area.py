import dataclasses

import numpy as np
import pytest

from endoalign.world.renderer.content_area import content_area, frame_width
from endoalign.world.renderer.processors import PROCESSORS, processor_named


def _naive(processor, height):
    width = frame_width(processor, height)
    area = np.zeros((height, width), bool)
    half = 0.5 * width / height - processor.margin
    for row in range(height):
        for column in range(width):
            x = abs((column + 0.5 - width / 2) / height)
            y = abs((row + 0.5) / height - 0.5)
            if x > half:
                continue
            if processor.shape == "octagon":
                area[row, column] = (half - x) + (0.5 - y) >= processor.cut - 1e-9
            elif processor.shape == "round":
                area[row, column] = x * x + y * y <= min(half, 0.56) ** 2 + 1e-9
            elif processor.shape == "rounded":
                dx, dy = x - (half - processor.cut), y - (0.5 - processor.cut)
                corner = dx > 0 and dy > 0 and dx * dx + dy * dy > processor.cut**2 + 1e-9
                area[row, column] = not corner
            else:
                area[row, column] = True
    return area


@pytest.mark.parametrize("name", PROCESSORS)
def test_content_area_against_a_naive_loop(name):
    processor = PROCESSORS[name]
    assert (content_area(processor, 48) != _naive(processor, 48)).mean() < 0.01


def test_the_area_cannot_be_changed_by_a_caller():
    with pytest.raises(ValueError, match="read-only"):
        content_area(PROCESSORS["centre_a"], 32)[0, 0] = True


def test_an_unknown_shape_is_named():
    odd = dataclasses.replace(PROCESSORS["centre_a"], shape="heart")
    with pytest.raises(ValueError, match="centre_a: content shape 'heart'"):
        content_area(odd, 32)


def test_ten_centres_with_looks_of_their_own():
    assert len(PROCESSORS) >= 10
    assert all(name == processor.name for name, processor in PROCESSORS.items())
    looks = {dataclasses.replace(processor, name="") for processor in PROCESSORS.values()}
    assert len(looks) == len(PROCESSORS)
    assert {processor.shape for processor in PROCESSORS.values()} == {
        "octagon",
        "round",
        "rounded",
        "full",
    }


def test_an_unknown_processor_is_named():
    with pytest.raises(ValueError, match=r"'centre_z' is unknown; use one of centre_a"):
        processor_named("centre_z")
