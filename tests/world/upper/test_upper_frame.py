"""Rendered frames of the upper tract: the same bytes, findings where truth says, states visible."""

from dataclasses import replace

import numpy as np
import pytest

from endoalign.vocabulary import UPPER_REGIONS
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.renderer.upper_frame import render_upper_frame
from endoalign.world.renderer.upper_view import UpperView
from endoalign.world.truth import Lesion
from endoalign.world.upper.gallery import region_pictures, upper_finding_pictures
from endoalign.world.upper.truth import UPPER_KINDS, UpperFinding

PLAIN = replace(PROCESSORS["centre_f"], text=None, inset=None)
SIZE = 48


def finding(kind, region, size=0.8, count=1, clock=3.0):
    polyp = Lesion("f", region, 40.0, clock, "0-Is", size, "red", ("smooth",), 5)
    return UpperFinding(
        "f", kind, region, size, count, clock, 5, polyp if kind == "polyp" else None
    )


def render(region, findings=(), framing="none", distractor=None, seed=3, patient=2):
    view = UpperView(region, tuple(findings), framing, distractor, seed, patient)
    return render_upper_frame(view, PLAIN, SIZE)


@pytest.mark.parametrize("region", UPPER_REGIONS)
def test_a_plain_frame_has_light_no_finding_and_the_same_bytes_again(region):
    frame = render(region)
    assert frame.rgb.shape == (SIZE, SIZE, 3)
    assert frame.rgb.dtype == np.uint8
    assert frame.rgb.std() > 10
    assert not frame.lesion_mask.any()
    assert frame.visible == ()
    assert np.isfinite(frame.depth_cm).all()
    assert (frame.depth_cm[frame.content] > 0).all()
    assert np.array_equal(render(region).rgb, frame.rgb)
    assert not np.array_equal(render(region, seed=4).rgb, frame.rgb)
    assert not np.array_equal(render(region, patient=9).rgb, frame.rgb)


@pytest.mark.parametrize("region", UPPER_REGIONS)
@pytest.mark.parametrize("kind", ["erosion", "ulcer", "polyp", "redness"])
def test_a_framed_finding_is_in_sight_for_most_places(region, kind):
    shares = [
        render(region, [finding(kind, region, clock=clock)], "clear", patient=int(clock)).visible[0]
        for clock in (3.0, 8.0)
    ]
    assert max(shares) > 0.003


def test_several_elements_are_one_finding_in_the_mask():
    one = render("antrum", [finding("erosion", "antrum", 0.5, 1)], "clear")
    three = render("antrum", [finding("erosion", "antrum", 0.5, 3)], "clear")
    assert set(np.unique(three.lesion_mask)) == {0, 1}
    share = (three.lesion_mask == 1).sum() / three.content.sum()
    assert three.visible == pytest.approx((share,))
    assert three.visible[0] > one.visible[0]


def test_a_finding_keeps_its_number_behind_a_spread_one():
    both = (finding("bile", "antrum"), finding("ulcer", "antrum", 1.2))
    frame = render("antrum", both, "clear")
    assert set(np.unique(frame.lesion_mask)) == {0, 2}
    assert frame.visible[0] == 1.0
    assert 0 < frame.visible[1] < 1


def mean_colour(frame):
    return frame.rgb[frame.content].astype(float).mean(0)


def test_bile_is_yellow_atrophy_pale_and_varices_bluish():
    plain, bile = render("antrum"), render("antrum", [finding("bile", "antrum")])
    assert np.subtract(*mean_colour(bile)[[1, 2]]) > np.subtract(*mean_colour(plain)[[1, 2]]) + 8
    pale = render("antrum", [finding("atrophy", "antrum")])
    ratio = [c[1] / c[0] for c in map(mean_colour, (pale, plain))]
    assert ratio[0] > ratio[1] + 0.02
    veins = render("esophagus", [finding("varices", "esophagus")])
    bluish = [c[2] / c[0] for c in map(mean_colour, (veins, render("esophagus")))]
    assert bluish[0] > bluish[1]


@pytest.mark.parametrize("seed", range(1008, 1016))
def test_every_frame_of_an_oesophagus_with_varices_shows_them(seed):
    states = [finding("varices", "esophagus")]
    pixels = render("esophagus", states, seed=seed, patient=37).rgb.astype(float)
    lilac = pixels[..., 2] > 0.85 * pixels[..., 1]
    assert lilac.mean() > 0.1


def test_a_spoilt_frame_does_not_show_the_state_of_its_region():
    frame = render("antrum", [finding("atrophy", "antrum")], distractor="blur")
    assert frame.visible == (0.0,)


def test_the_endoscope_is_seen_in_retroflexion():
    dark = [(render("cardia", seed=s, patient=s).rgb.max(2) < 90).mean() for s in range(6)]
    assert min(dark) > 0.02


def test_sizes_out_of_range_are_told():
    with pytest.raises(ValueError, match="size 8 px"):
        render_upper_frame(UpperView("body", (), "none", None, 1), PLAIN, 8)


def test_the_gallery_names_each_region_and_each_kind():
    regions = dict(region_pictures(32, seed=3))
    kinds = dict(upper_finding_pictures(32, seed=3))
    assert tuple(regions) == UPPER_REGIONS
    assert tuple(kinds) == UPPER_KINDS
    assert all(picture.shape == (32, 32, 3) for picture in (*regions.values(), *kinds.values()))
