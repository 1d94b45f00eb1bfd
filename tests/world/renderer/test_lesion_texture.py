import dataclasses

import numpy as np
import pytest

from endoalign.vocabulary import DESCRIPTORS
from endoalign.world.renderer.frame import render_frame
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.renderer.view import View
from endoalign.world.truth import Lesion

PLAIN = Lesion("L1", "transverse_colon", 60.0, 5.0, "0-Is", 1.0, "mucosal", (), 21)
CLEAN = dataclasses.replace(
    PROCESSORS["centre_f"], noise=0.0, softness=0.0, sharpen=0.0, contrast=1.0
)
SIZE = 72


def _seen(lesion, seed=2):
    return render_frame(View(lesion.region, (lesion,), "clear", None, seed, 4), CLEAN, SIZE)


def _mean_colour(frame):
    return frame.rgb[frame.lesion_mask > 0].astype(float).mean(axis=0)


@pytest.mark.parametrize("descriptor", DESCRIPTORS)
def test_every_descriptor_changes_the_lesion(descriptor):
    """Two lesions of one seed that differ in one word only look different from some side."""
    paris = "0-Isp" if descriptor in {"narrow_base", "broad_base"} else "0-Is"
    lesion = dataclasses.replace(PLAIN, paris=paris)
    changes = []
    for seed, view in ((21, 2), (22, 3), (23, 5), (24, 6)):
        base = dataclasses.replace(lesion, seed=seed)
        without, with_it = (
            _seen(dataclasses.replace(base, descriptors=words), view)
            for words in ((), (descriptor,))
        )
        there = (without.lesion_mask > 0) | (with_it.lesion_mask > 0)
        gap = np.abs(without.rgb.astype(float) - with_it.rgb.astype(float)).mean(axis=2)
        changes.append(np.quantile(gap[there], 0.97))
    assert max(changes) > 6.0


def test_colour_against_the_mucosa():
    means = {}
    for colour in ("red", "pale", "yellow", "mucosal"):
        frames = [_seen(dataclasses.replace(PLAIN, colour=colour, seed=s)) for s in (21, 22, 23)]
        means[colour] = np.mean([_mean_colour(frame) for frame in frames], axis=0)
    redness = {name: value[0] / value[1] for name, value in means.items()}
    assert redness["red"] > redness["mucosal"] > redness["pale"]
    assert means["yellow"][2] / means["yellow"][1] < means["mucosal"][2] / means["mucosal"][1]


@pytest.mark.parametrize(
    "word, sign, measure",
    [
        ("congestion", 1, lambda c: c[0] / c[1]),
        ("bleeding", -1, lambda c: c[1] / c[0]),
        ("white_coating", 1, lambda c: c[2] / c[0]),
        ("mucus_attachment", 1, lambda c: c[1] / c[0]),
    ],
)
def test_words_of_colour_shift_the_colour_their_way(word, sign, measure):
    shifts = []
    for seed in (21, 22, 23):
        base = dataclasses.replace(PLAIN, seed=seed, colour="red")
        plain = measure(_mean_colour(_seen(base)))
        shown = measure(_mean_colour(_seen(dataclasses.replace(base, descriptors=(word,)))))
        shifts.append(sign * (shown - plain))
    assert np.median(shifts) > 0.0


def test_a_red_lesion_stays_redder_than_the_wall_from_view_to_view():
    lesion = dataclasses.replace(PLAIN, colour="red", descriptors=("congestion",))
    contrasts = []
    for seed in range(5):
        frame = _seen(lesion, seed)
        wall = frame.rgb[frame.content & (frame.lesion_mask == 0)].astype(float).mean(axis=0)
        here = _mean_colour(frame)
        contrasts.append((here[0] / here[1]) / (wall[0] / wall[1]))
    assert min(contrasts) > 1.0
