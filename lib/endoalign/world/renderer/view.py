"""One picture to take: where, of what, how well framed, and what is in the way."""

from dataclasses import dataclass
from typing import Final

from endoalign.world.renderer.colitis import Inflammation
from endoalign.world.truth import Lesion

FRAMINGS: Final = ("clear", "partial", "far", "off_centre", "behind_fold", "none")
DISTRACTORS: Final = (
    "blur",
    "motion_blur",
    "wall_contact",
    "fluid",
    "bubbles",
    "stool",
    "instrument",
    "text",
    "overexposure",
)


@dataclass(frozen=True)
class View:
    """What one frame shows. The first of ``lesions`` is the one that is framed.

    ``patient_seed`` fixes what all frames of one patient share: tone of the mucosa and course of
    each segment. ``seed`` fixes the rest: pose, exposure, noise. ``colitis`` is the inflammation
    of the segment. ``ValueError`` for an unknown framing or distractor, or for a framing that
    needs a lesion and has none.
    """

    region: str
    lesions: tuple[Lesion, ...]
    framing: str
    distractor: str | None
    seed: int
    patient_seed: int = 0
    colitis: Inflammation | None = None

    def __post_init__(self) -> None:
        if self.framing not in FRAMINGS:
            raise ValueError(
                f"framing {self.framing!r} is unknown; use one of {', '.join(FRAMINGS)}"
            )
        if self.distractor is not None and self.distractor not in DISTRACTORS:
            raise ValueError(
                f"distractor {self.distractor!r} is unknown; use one of {', '.join(DISTRACTORS)}"
            )
        if self.framing != "none" and not self.lesions:
            raise ValueError(f"framing {self.framing!r} needs a lesion; use 'none' without one")
