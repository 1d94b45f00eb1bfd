"""One clear picture for each thing that the world can show: descriptors, segments, distractors."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from endoalign.vocabulary import COLON_REGIONS, DESCRIPTORS
from endoalign.world.cases import sample_cases
from endoalign.world.renderer.frame import render_frame
from endoalign.world.renderer.processors import PROCESSORS
from endoalign.world.renderer.view import DISTRACTORS, View
from endoalign.world.truth import Lesion

Picture = tuple[str, NDArray[np.uint8]]

PLAIN: Final = replace(PROCESSORS["centre_f"], text=None, inset=None)
"""A processor that fills the frame and burns nothing into it."""
LEAST_SIZE_CM: Final = 0.6
CASES_SEARCHED: Final = 600


def descriptor_pictures(size: int, *, seed: int) -> Iterator[Picture]:
    """For each of the nineteen descriptors its name and a frame (size, size, 3) that shows it.

    Lesions are those of the world's own cases: for each descriptor another one, with as little
    else to see as there is. A descriptor that none of them has is left out.
    """
    cases = sample_cases(CASES_SEARCHED, 0, seed=seed, language="en")
    large = [one for case in cases for one in case.lesions if one.size_cm >= LEAST_SIZE_CM]
    plain_first = sorted(large, key=lambda one: (len(one.descriptors), one.lesion_id))
    for name in DESCRIPTORS:
        lesion = next((one for one in plain_first if name in one.descriptors), None)
        if lesion is not None:
            plain_first.remove(lesion)
            yield name, _clear_view(lesion, size, seed)


def segment_pictures(size: int, *, seed: int) -> Iterator[Picture]:
    """For each colon region its name and a frame (size, size, 3) without a lesion."""
    for index, region in enumerate(COLON_REGIONS):
        yield region, _render(View(region, (), "none", None, seed + index, seed), size)


def distractor_pictures(size: int, *, seed: int) -> Iterator[Picture]:
    """For each distractor its name and a frame (size, size, 3) that it spoils."""
    for name in DISTRACTORS:
        yield name, _render(View("transverse_colon", (), "none", name, seed, seed), size)


def _clear_view(lesion: Lesion, size: int, seed: int) -> NDArray[np.uint8]:
    return _render(View(lesion.region, (lesion,), "clear", None, lesion.seed, seed), size)


def _render(view: View, size: int) -> NDArray[np.uint8]:
    return render_frame(view, PLAIN, size).rgb
