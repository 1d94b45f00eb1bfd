"""Which clips to take: of whom, where, what the endoscopist does, and for how long."""

import random
from dataclasses import dataclass
from typing import Final

from endoalign.world.cases import SPLIT_SHARES, sample_cases
from endoalign.world.cases_sites import visited_regions
from endoalign.world.clips.settings import ClipSettings
from endoalign.world.renderer.camera_path_motion import MOVES
from endoalign.world.renderer.processors import processor_named
from endoalign.world.truth import CaseTruth, Lesion

_SIZE_IN_FRAME: Final = (0.2, 0.6)
_SEEDS: Final = 2**31


@dataclass(frozen=True)
class ClipPlan:
    """One clip to take.

    ``lesion`` is the polyp in it, or ``None``; ``move`` one of `camera_path_motion.MOVES`;
    ``reach_cm`` the radius of what is looked at, a polyp or a plain spot of the wall, and
    ``share`` its angular radius over half the view, which says how near the camera comes.
    ``ValueError`` for an unknown move or source, or for a clip that is not a frame long.
    """

    clip_id: str
    case_id: str
    patient_id: str
    source: str
    split: str
    region: str
    lesion: Lesion | None
    move: str
    reach_cm: float
    share: float
    distractor: str | None
    seconds: float
    fps: float
    seed: int
    patient_seed: int

    def __post_init__(self) -> None:
        processor_named(self.source)
        if self.move not in MOVES:
            raise ValueError(f"move {self.move!r} is unknown; use one of {', '.join(MOVES)}")
        if self.frames < 1:
            raise ValueError(
                f"clip {self.clip_id}: {self.seconds} s at {self.fps} frames a second is no frame"
            )

    @property
    def label(self) -> int:
        """1 with a polyp, 0 without: the label of PolypDiag."""
        return int(self.lesion is not None)

    @property
    def frames(self) -> int:
        """Number of frames."""
        return round(self.seconds * self.fps)


def sample_clips(settings: ClipSettings, *, seed: int) -> tuple[ClipPlan, ...]:
    """Draw the clips, one of each case, in random order; fixed by ``settings`` and ``seed``.

    Clips with and without a polyp have the same moves, lengths, distances and soiling, so that
    nothing but the polyp tells them apart. The clips of a patient are in one split.
    """
    cases = sample_cases(
        settings.polyp_clips,
        settings.normal_clips,
        seed=seed,
        language="en",
        split_shares=SPLIT_SHARES,
    )
    rng = random.Random(f"clips/{seed}")
    lesions = [lesion for case in cases for lesion in case.lesions]
    return tuple(
        _clip(f"clip_{number:05d}", case, lesions, settings, rng)
        for number, case in enumerate(cases)
    )


def _clip(
    name: str, case: CaseTruth, lesions: list[Lesion], settings: ClipSettings, rng: random.Random
) -> ClipPlan:
    lesion = rng.choice(case.lesions) if case.lesions else None
    # A plain spot stands where a polyp might: regions and sizes follow those of the polyps.
    visited = visited_regions(case)
    likely = [one for one in lesions if one.region in visited]
    model = lesion or (rng.choice(likely) if likely else None)
    return ClipPlan(
        clip_id=name,
        case_id=case.case_id,
        patient_id=case.patient_id,
        source=settings.source or case.source,
        split=case.split,
        region=model.region if model else rng.choice(visited),
        lesion=lesion,
        move=rng.choice(MOVES),
        reach_cm=0.5 * model.size_cm if model else rng.uniform(0.15, 0.6),
        share=rng.uniform(*_SIZE_IN_FRAME),
        distractor="stool" if rng.random() < settings.stool_share else None,
        seconds=round(rng.uniform(settings.seconds_low, settings.seconds_high), 2),
        fps=settings.fps,
        seed=rng.randrange(_SEEDS),
        patient_seed=case.seed,
    )
