"""The pictures of a patient with colitis, each with the signs that can be seen in it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from endoalign.world.colitis.patients import ColitisFrame, ColitisPatient
from endoalign.world.renderer.colitis_signs import SIGN_CODES, sign_map
from endoalign.world.renderer.frame import render_frame
from endoalign.world.renderer.processors import Processor, processor_named
from endoalign.world.renderer.stage import set_stage
from endoalign.world.renderer.view import View

LEAST_SEEN: Final = {
    0: ((), 0.0),
    1: ((), 0.0),
    2: (("petechiae", "erosion"), 0.008),
    3: (("ulcer", "bleeding"), 0.02),
}
"""Signs of which a picture must show one, and the share of its content that they cover."""
_TRIES: Final = 12
_VASCULAR: Final = ("normal", "decreased", "absent", "absent")
_ERYTHEMA: Final = ("none", "mild", "marked", "marked")
_FRIABILITY: Final = ("none", "mild", "present", "present")


@dataclass(frozen=True)
class ColitisPicture:
    """One graded picture with its truth.

    ``rgb`` is uint8 (H, W, 3); ``signs`` uint8 (H, W) with the values of
    `renderer.colitis_signs.SIGN_CODES`; ``seen`` the share of the content that each sign covers;
    ``vascular_pattern``, ``erythema`` and ``friability`` are the words of the subscore.
    """

    frame_id: str
    patient_id: str
    split: str
    region: str
    mayo: int
    rgb: NDArray[np.uint8]
    signs: NDArray[np.uint8]
    seen: dict[str, float]
    vascular_pattern: str
    erythema: str
    friability: str


def patient_pictures(patient: ColitisPatient, height: int) -> Iterator[ColitisPicture]:
    """Take the pictures of a patient, ``height`` pixels high, in the order of withdrawal.

    A picture that does not show what its grade rests on (erosions at 2, ulcers or blood at 3) is
    taken again from another pose, as an endoscopist would. The same patient gives the same bytes.
    """
    processor = processor_named(patient.source)
    for frame in patient.frames:
        rgb, signs, seen = _best_shot(frame, processor, height)
        yield ColitisPicture(
            frame_id=frame.frame_id,
            patient_id=patient.patient_id,
            split=patient.split,
            region=frame.view.region,
            mayo=frame.mayo,
            rgb=rgb,
            signs=signs,
            seen=seen,
            vascular_pattern=_VASCULAR[frame.mayo],
            erythema=_ERYTHEMA[frame.mayo],
            friability=_FRIABILITY[frame.mayo],
        )


_Shot = tuple[NDArray[np.uint8], NDArray[np.uint8], dict[str, float]]


def _best_shot(frame: ColitisFrame, processor: Processor, height: int) -> _Shot:
    """The first shot that shows what its grade rests on, else the one that shows most of it."""
    names, least = LEAST_SEEN[frame.mayo]
    chance = np.random.default_rng([frame.view.seed & 0xFFFFFFFF, 0x5407])
    best: _Shot | None = None
    most = -1.0
    view = frame.view
    for _ in range(_TRIES):
        shot = _shoot(view, processor, height)
        shown = sum(shot[2][name] for name in names)
        if shown > most:
            best, most = shot, shown
        if most >= least:
            break
        view = replace(view, seed=int(chance.integers(2**31)))
    assert best is not None
    return best


def _shoot(view: View, processor: Processor, height: int) -> _Shot:
    frame = render_frame(view, processor, height)
    signs = sign_map(set_stage(view, processor), frame.depth_cm, frame.content)
    total = max(int(frame.content.sum()), 1)
    seen = {name: float((signs == code).sum()) / total for name, code in SIGN_CODES.items()}
    return frame.rgb, signs, seen
