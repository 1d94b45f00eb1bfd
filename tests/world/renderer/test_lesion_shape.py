import dataclasses

import numpy as np
import pytest

from endoalign.vocabulary import PARIS_POLYPS
from endoalign.world.renderer.lesion_distance import lesion_distance
from endoalign.world.renderer.lesion_shape import lesion_record
from endoalign.world.truth import Lesion

PLAIN = Lesion("L1", "rectum", 8.0, 6.0, "0-Is", 1.0, "red", ("smooth",), 11)


def _inside(record, points, wall=9.0):
    return np.array(
        [
            inside > 0 if record["plateau"] > 0.5 else d < 0
            for d, inside in (lesion_distance(record, wall, *p) for p in points)
        ]
    )


def _shadow(record, reach):
    """Points of the plane that the lesion covers seen from above, by a dense grid."""
    axis = np.linspace(-reach, reach, 47)
    heights = np.linspace(0.0, reach * 1.5, 12) if record["plateau"] < 0.5 else [0.0]
    return np.array(
        [(u, v) for u in axis for v in axis if _inside(record, [(u, v, w) for w in heights]).any()]
    )


@pytest.mark.parametrize("paris", PARIS_POLYPS)
@pytest.mark.parametrize("words", [("smooth",), ("lobulated",), ("irregular_shape", "nodular")])
def test_size_is_the_largest_diameter_from_above(paris, words):
    lesion = dataclasses.replace(PLAIN, paris=paris, descriptors=words, size_cm=0.8)
    record = lesion_record(lesion)
    # A stalk that leans is not part of the head: look at the head alone.
    record["stalk"] = 0.0
    record["lean_u"] = record["lean_v"] = 0.0
    shadow = _shadow(record, 0.75)
    widths = [np.ptp(shadow @ (np.cos(turn), np.sin(turn))) for turn in np.linspace(0, np.pi, 36)]
    assert max(widths) == pytest.approx(0.8, rel=0.1)


@pytest.mark.parametrize("size", [0.2, 1.0, 3.0])
def test_shape_scales_with_size(size):
    small, large = lesion_record(PLAIN), lesion_record(dataclasses.replace(PLAIN, size_cm=size))
    for field in ("radius", "height", "rise", "blend"):
        assert large[field] == pytest.approx(small[field] * size)
    assert large["offset"] == small["offset"]


def test_the_same_seed_is_the_same_lesion_and_another_is_not():
    assert lesion_record(PLAIN).tobytes() == lesion_record(PLAIN).tobytes()
    assert lesion_record(PLAIN) != lesion_record(dataclasses.replace(PLAIN, seed=12))


def test_the_record_is_a_copy():
    record = lesion_record(PLAIN)
    record["x"] = 5.0
    assert lesion_record(PLAIN)["x"] == 0.0


def test_paris_types_differ_in_base_and_height():
    def base_share(paris, words=("smooth",)):
        """Width of the lesion just above the wall over its largest width."""
        lesion = dataclasses.replace(PLAIN, paris=paris, descriptors=words)
        record = lesion_record(lesion)
        record["lean_u"] = record["lean_v"] = 0.0
        axis = np.linspace(-0.8, 0.8, 81)
        widths = [
            _inside(record, [(u, 0.0, w) for u in axis]).sum() for w in np.linspace(0.02, 2.5, 40)
        ]
        return widths[0] / max(widths)

    assert base_share("0-Ip") < 0.6 < base_share("0-Is")
    assert base_share("0-Isp") < base_share("0-Is")
    assert base_share("0-Is", ("narrow_base",)) < base_share("0-Is", ("broad_base",))
    flat = lesion_record(dataclasses.replace(PLAIN, paris="0-IIa"))
    assert flat["plateau"] == 1.0
    assert flat["height"] < 0.5 * flat["radius"]


@pytest.mark.parametrize(
    "change, words",
    [
        ({"paris": "0-III"}, "0-III.*0-Ip"),
        ({"colour": "green"}, "'green' is unknown; use one of red"),
        ({"descriptors": ("shiny",)}, r"unknown descriptors \['shiny'\]"),
        ({"size_cm": 0.0}, "size_cm 0.0"),
        ({"size_cm": float("nan")}, "size_cm nan"),
    ],
)
def test_lesions_that_cannot_be_drawn_are_named(change, words):
    with pytest.raises(ValueError, match=f"lesion L1: .*{words}"):
        lesion_record(dataclasses.replace(PLAIN, **change))
