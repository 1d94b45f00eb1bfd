"""One picture of a gastroscopy to take: where, of what, how well framed, what is in the way."""

from dataclasses import dataclass
from typing import Final

from endoalign.vocabulary import UPPER_REGIONS
from endoalign.world.renderer.view import DISTRACTORS
from endoalign.world.upper.truth import UpperFinding

UPPER_FRAMINGS: Final = ("clear", "off_centre", "far", "none")


@dataclass(frozen=True)
class UpperView:
    """What one frame shows. The first local one of ``findings`` is the one that is framed.

    ``findings`` are those of ``region`` that lie in sight; the spread ones among them mark all of
    it. ``patient_seed`` fixes what the frames of one patient share, ``seed`` pose, exposure and
    noise. ``ValueError`` for an unknown region, framing or distractor, a finding of another
    region, or a framing that needs a local finding and has none.
    """

    region: str
    findings: tuple[UpperFinding, ...]
    framing: str
    distractor: str | None
    seed: int
    patient_seed: int = 0

    def __post_init__(self) -> None:
        for name, value, known in (
            ("region", self.region, UPPER_REGIONS),
            ("framing", self.framing, UPPER_FRAMINGS),
            ("distractor", self.distractor, (None, *DISTRACTORS)),
        ):
            if value not in known:
                names = ", ".join(each for each in known if each)
                raise ValueError(f"{name} {value!r} is unknown; use one of {names}")
        for finding in self.findings:
            if finding.region != self.region:
                raise ValueError(
                    f"finding {finding.finding_id} lies in the {finding.region}, "
                    f"not in the {self.region} that is shown"
                )
        if self.framing != "none" and not self.local:
            raise ValueError(f"framing {self.framing!r} needs a local finding; use 'none'")

    @property
    def local(self) -> tuple[UpperFinding, ...]:
        """The findings that lie at a place of the wall."""
        return tuple(finding for finding in self.findings if not finding.spread)

    def shows(self, kind: str) -> bool:
        """Whether the region is marked by a spread finding of ``kind``."""
        return any(finding.kind == kind for finding in self.findings)
