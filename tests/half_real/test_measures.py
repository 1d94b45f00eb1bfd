"""Measures against closed forms: discs, ellipses and plain colours."""

import math

import numpy as np
import pytest

from endoalign.half_real.attributes import attributes_of
from endoalign.half_real.lab import to_lab
from endoalign.half_real.measures import Measures, measure
from endoalign.half_real.picture import Picture

SIZE = 240
MUCOSA = (180, 110, 90)


def ellipse(x, y, across, down, size=SIZE):
    rows, columns = np.mgrid[:size, :size] + 0.5
    return ((columns - x) / across) ** 2 + ((rows - y) / down) ** 2 <= 1


def view(polyp, colour=(200, 90, 80), mucosa=MUCOSA):
    rgb = np.empty((*polyp.shape, 3), np.uint8)
    rgb[:] = mucosa
    rgb[polyp] = colour
    return Picture(rgb, np.ones_like(polyp), polyp)


@pytest.mark.parametrize(
    ("rgb", "lab"),
    [  # values of the CIE formulae for sRGB's white, black and primaries
        ((255, 255, 255), (100.0, 0.0, 0.0)),
        ((0, 0, 0), (0.0, 0.0, 0.0)),
        ((255, 0, 0), (53.24, 80.09, 67.20)),
        ((0, 255, 0), (87.73, -86.18, 83.18)),
        ((0, 0, 255), (32.30, 79.19, -107.86)),
    ],
)
def test_lab_of_known_colours(rgb, lab):
    assert to_lab(np.array(rgb, np.uint8)) == pytest.approx(lab, abs=0.02)


def test_a_disc_has_its_share_place_and_shape():
    found = measure(view(ellipse(60, 180, 30, 30)))
    assert found.share == pytest.approx(math.pi * 30**2 / SIZE**2, rel=0.01)
    assert (found.x, found.y) == pytest.approx((0.25, 0.75), abs=0.005)
    assert found.axis_ratio == pytest.approx(1, abs=0.01)
    assert found.solidity == pytest.approx(1, abs=0.03)
    assert found.count == 1


def test_an_ellipse_has_the_ratio_of_its_axes_however_it_lies():
    assert measure(view(ellipse(120, 120, 60, 30))).axis_ratio == pytest.approx(0.5, abs=0.01)
    assert measure(view(ellipse(120, 120, 30, 60))).axis_ratio == pytest.approx(0.5, abs=0.01)


def test_a_cross_is_not_convex():
    cross = np.zeros((SIZE, SIZE), bool)
    cross[60:180, 110:130] = cross[110:130, 60:180] = True
    assert measure(view(cross)).solidity < 0.7


def test_several_polyps_are_counted_and_share_their_area():
    three = ellipse(50, 50, 20, 20) | ellipse(180, 60, 25, 25) | ellipse(120, 190, 10, 10)
    found = measure(view(three))
    assert found.count == 3
    assert found.share == pytest.approx(three.mean(), rel=0.01)


def test_a_surround_is_no_part_of_the_view():
    polyp = ellipse(150, 120, 30, 30)
    picture = view(polyp)
    content = np.zeros_like(polyp)
    content[60:180, 60:180] = True
    found = measure(Picture(picture.rgb, content, polyp & content))
    assert found.share == pytest.approx(math.pi * 30**2 / 120**2, rel=0.02)
    assert (found.x, found.y) == pytest.approx((0.75, 0.5), abs=0.01)


def test_large_views_measure_as_small_ones():
    small, large = view(ellipse(80, 100, 40, 30)), view(ellipse(320, 400, 160, 120, 4 * SIZE))
    a, b = measure(small), measure(large)
    assert (a.count, a.share, a.axis_ratio, a.x, a.y) == pytest.approx(
        (b.count, b.share, b.axis_ratio, b.x, b.y), abs=0.01
    )
    assert a.colour == pytest.approx(b.colour, abs=0.5)


def test_colour_is_compared_at_equal_lightness():
    """The same mucosa nearer to the lamp is brighter and no redder."""
    polyp = ellipse(120, 120, 40, 40)
    linear = (np.array(MUCOSA) / 255) ** 2.2
    brighter = np.rint(255 * (1.5 * linear) ** (1 / 2.2)).astype(int)
    lightness, a, b = measure(view(polyp, tuple(brighter))).colour
    assert lightness > 8
    assert abs(a) < 1.5 and abs(b) < 1.5


@pytest.mark.parametrize(
    ("colour", "name"),
    [
        ((200, 70, 60), "red"),
        ((190, 150, 140), "pale"),
        ((185, 130, 60), "yellow"),
        (MUCOSA, "mucosal"),
    ],
)
def test_colours_get_their_names(colour, name):
    polyp = ellipse(120, 120, 40, 40)
    assert attributes_of(measure(view(polyp, colour))).colour == name


def test_a_step_in_colour_is_the_difference_of_both_sides():
    polyp = ellipse(120, 120, 40, 40)
    sides = to_lab(np.array([(200, 90, 80), MUCOSA], np.uint8))
    expected = float(np.linalg.norm(sides[0] - sides[1]))
    assert measure(view(polyp)).step == pytest.approx(expected, rel=0.02)
    assert measure(view(polyp, MUCOSA)).step == pytest.approx(0, abs=1e-9)


def test_a_polyp_that_fills_the_view_has_nothing_to_compare_with():
    found = measure(view(np.ones((SIZE, SIZE), bool)))
    assert found.colour is None and found.step == 0 and found.share == 1
    known = attributes_of(found)
    assert (known.size, known.colour, known.brightness) == ("most", None, None)
    assert known.position == "middle centre"


def test_one_pixel_is_measured_and_none_refused():
    polyp = np.zeros((64, 64), bool)
    with pytest.raises(ValueError, match="nothing to measure"):
        measure(view(polyp))
    polyp[10, 50] = True
    assert measure(view(polyp)).count == 1


def numbers(**changed):
    plain = {"count": 1, "share": 0.1, "axis_ratio": 1.0, "solidity": 1.0, "x": 0.5, "y": 0.5}
    return Measures(**(plain | {"colour": (0.0, 0.0, 0.0), "step": 15.0} | changed))


@pytest.mark.parametrize(
    ("share", "size"),
    [
        (0.049, "small"),
        (0.05, "tenth"),
        (0.2, "fifth"),
        (0.3, "third"),
        (0.5, "half"),
        (0.6, "most"),
    ],
)
def test_sizes_are_shares_of_the_view(share, size):
    assert attributes_of(numbers(share=share)).size == size


def test_places_are_named_from_the_upper_left():
    assert attributes_of(numbers(x=0.1, y=0.1)).position == "upper left"
    assert attributes_of(numbers(x=0.4, y=0.6)).position == "middle centre"
    assert attributes_of(numbers(x=0.61, y=0.61)).position == "lower right"


def test_outline_and_margin():
    assert attributes_of(numbers(solidity=0.9)).outline == "irregular"
    assert attributes_of(numbers(axis_ratio=0.5)).outline == "oval"
    margins = [attributes_of(numbers(step=step)).margin for step in (5.0, 15.0, 30.0)]
    assert margins == ["blurred", None, "clear"]


def test_of_several_polyps_only_what_holds_for_all_is_said():
    known = attributes_of(numbers(count=2))
    assert (known.outline, known.position, known.margin) == (None, None, None)
    assert known.size and known.colour and known.brightness


def test_dark_and_pale_are_not_said_together():
    known = attributes_of(numbers(colour=(-10.0, -8.0, 0.0)))
    assert (known.colour, known.brightness) == ("pale", None)
    assert attributes_of(numbers(colour=(-10.0, 8.0, 0.0))).brightness == "darker"
