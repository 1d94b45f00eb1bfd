"""What the world knows of a gastroscopy before anything is drawn or written."""

from dataclasses import dataclass
from typing import Final

from endoalign.vocabulary import UPPER_REGIONS
from endoalign.world.truth import Lesion

LOCAL_KINDS: Final = ("erosion", "ulcer", "polyp", "redness")
"""Findings that lie at a place of the wall: each has its own pixels in a frame."""
SPREAD_KINDS: Final = ("atrophy", "bile", "varices")
"""Findings that change a whole region: every frame that shows the region shows them."""
UPPER_KINDS: Final = LOCAL_KINDS + SPREAD_KINDS


@dataclass(frozen=True)
class UpperFinding:
    """One abnormal finding of a region.

    ``size_cm`` is the largest diameter of one element, ``count`` how many lie side by side,
    ``clock`` the position on the wall in hours. ``lesion`` is the polyp of a ``polyp``, else none.
    ``ValueError`` for an unknown kind or region, and for a polyp without its lesion.
    """

    finding_id: str
    kind: str
    region: str
    size_cm: float
    count: int
    clock: float
    seed: int
    lesion: Lesion | None = None

    def __post_init__(self) -> None:
        if self.kind not in UPPER_KINDS:
            raise ValueError(
                f"finding {self.finding_id}: kind {self.kind!r} is unknown; "
                f"use one of {', '.join(UPPER_KINDS)}"
            )
        if self.region not in UPPER_REGIONS:
            raise ValueError(
                f"finding {self.finding_id}: region {self.region!r} is unknown; "
                f"use one of {', '.join(UPPER_REGIONS)}"
            )
        if (self.lesion is not None) != (self.kind == "polyp"):
            raise ValueError(f"finding {self.finding_id}: a polyp, and only it, needs a `lesion`")

    @property
    def spread(self) -> bool:
        """Whether the finding changes its whole region."""
        return self.kind in SPREAD_KINDS


@dataclass(frozen=True)
class UpperCase:
    """One gastroscopy: who, where, what was found. ``findings`` is empty in a normal case.

    ``reach`` is the farthest region that was seen. ``operation`` is an earlier resection, a name
    of `endoalign.world.upper.extent.OPERATIONS`. Findings lie in regions that were seen.
    ``undocumented`` regions were passed, but no still shows them and no sentence tells of them.
    """

    case_id: str
    patient_id: str
    source: str
    split: str
    language: str
    findings: tuple[UpperFinding, ...]
    seed: int
    reach: str = "duodenum"
    operation: str | None = None
    undocumented: tuple[str, ...] = ()
