"""What a gastroscopy's report states of each finding, before it is said in any language."""

import random
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Final

import yaml

from endoalign.vocabulary import LANGUAGES
from endoalign.world.truth import StatedFinding
from endoalign.world.upper.truth import UpperFinding
from endoalign.world.writer.markup import Passage, stated
from endoalign.world.writer.size import number
from endoalign.world.writer.statements import plain_finding

_DESCRIBED_SHARE: Final = 0.8  # of polyps whose surface is told
_TYPED_SHARE: Final = 0.7  # … whose Paris type is told
_SURFACES: Final = ("lobulated", "erosion", "congestion", "rough", "smooth")


@cache
def upper_phrases(language: str) -> dict[str, Any]:
    """The bank of ``language``; ``ValueError`` where there is none."""
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise ValueError(f"unknown language {language!r}; known languages: {known}")
    path = files("endoalign.world.writer") / "phrases" / f"upper_{language}.yaml"
    return dict(yaml.safe_load(path.read_text("utf-8")))


@dataclass(frozen=True)
class UpperStatement:
    """One finding with what is told of it: size in mm (none: not told), type and one surface."""

    finding: UpperFinding
    millimetres: int | None
    paris: str | None
    surface: str | None

    def size(self, unit: str) -> str:
        """The stated size as written in ``unit``, "" where none is told."""
        return f"{number(self.millimetres, unit)}" if self.millimetres else ""

    def stated(self) -> StatedFinding:
        """The truth of what is stated, not yet placed in the text; it names the finding meant."""
        polyp = self.finding.lesion is not None
        words = {self.surface, "flat" if self.paris == "0-IIa" else None}  # "flat elevated" says so
        return replace(
            plain_finding("lesion" if polyp else "other", self.finding.region),
            status=1,
            count=1 if polyp else None,
            size_cm=self.millimetres / 10 if self.millimetres else None,
            paris=self.paris,
            descriptors=tuple(sorted(word for word in words if word)),
            lesion_ids=(self.finding.finding_id,),
        )

    def passage(self, text: str) -> Passage:
        """``text`` as the statement of this finding."""
        return Passage(stated(text), (self.stated(),))


def state_finding(finding: UpperFinding, rng: random.Random) -> UpperStatement:
    """Draw what is told: the size of polyps and ulcers, type and surface of polyps."""
    sized = finding.kind in {"polyp", "ulcer"}
    millimetres = max(1, round(10 * finding.size_cm)) if sized else None
    if finding.lesion is None:
        return UpperStatement(finding, millimetres, None, None)
    seen = [name for name in _SURFACES if name in finding.lesion.descriptors]
    surface = seen[0] if seen and rng.random() < _DESCRIBED_SHARE else None
    paris = finding.lesion.paris if rng.random() < _TYPED_SHARE else None
    return UpperStatement(finding, millimetres, paris, surface)


def normal_passage(region: str, text: str) -> Passage:
    """``text`` as the statement that a region is normal."""
    return Passage(stated(text), (plain_finding("normal", region),))
