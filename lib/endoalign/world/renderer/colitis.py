"""Colitis of one segment: the signs that the Mayo endoscopic subscore goes by, and their wall.

The subscore (Schroeder 1987; D'Haens 2007): 0 normal or inactive disease, the vascular pattern
whole; 1 erythema, decreased vascular pattern, mild friability; 2 marked erythema, absent vascular
pattern, friability, erosions; 3 spontaneous bleeding, ulceration.
"""

from dataclasses import dataclass, fields
from typing import Final

import numpy as np

from endoalign.world.renderer.scene import Mucosa, Wall

MAYO_GRADES: Final = (0, 1, 2, 3)

_RANGES: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "vascular": ((0.95, 1.0), (0.2, 0.5), (0.0, 0.0), (0.0, 0.0)),
    "erythema": ((0.0, 0.08), (0.45, 0.65), (0.75, 1.0), (0.75, 1.0)),
    "granular": ((0.0, 0.05), (0.25, 0.6), (0.7, 1.1), (0.6, 1.1)),
    "petechiae": ((0.0, 0.0), (0.0, 0.2), (0.5, 0.9), (0.5, 0.9)),
    "erosion": ((0.0, 0.0), (0.0, 0.0), (0.4, 0.9), (0.3, 0.8)),
    "ulcer": ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.6, 1.0)),
    "bleeding": ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.5, 1.0)),
    "exudate": ((0.0, 0.0), (0.0, 0.1), (0.0, 0.5), (0.1, 0.7)),
}
"""Range of each sign at Mayo 0, 1, 2 and 3."""
_ULCER_ALONE, _BLEEDING_ALONE = 0.3, 0.2
"""Shares of Mayo 3 that have one of its two signs only."""
_PALEST: Final = (0.66, 0.24, 0.14)
"""Mucosa of a segment at rest (linear RGB), towards which the patient's tone is drawn."""


@dataclass(frozen=True)
class Inflammation:
    """What colitis has made of one segment; each sign from 0 (none) to 1 (all over).

    ``vascular`` is the share of the vascular pattern that is left. ``ValueError`` for a grade that
    is none of 0 to 3, or a sign outside 0 to 1.2.
    """

    mayo: int
    vascular: float
    erythema: float
    granular: float
    petechiae: float
    erosion: float
    ulcer: float
    bleeding: float
    exudate: float

    def __post_init__(self) -> None:
        if self.mayo not in MAYO_GRADES:
            raise ValueError(f"Mayo grade {self.mayo!r} is unknown; use one of 0, 1, 2, 3")
        for name in _RANGES:
            if not 0.0 <= getattr(self, name) <= 1.2:
                raise ValueError(f"{name} {getattr(self, name)!r} must lie in 0 to 1.2")


def sample_inflammation(mayo: int, rng: np.random.Generator) -> Inflammation:
    """Draw the signs of a segment of a grade, by the definition of the subscore.

    Mayo 3 has ulcers, spontaneous bleeding, or both. ``ValueError`` for an unknown grade.
    """
    if mayo not in MAYO_GRADES:
        raise ValueError(f"Mayo grade {mayo!r} is unknown; use one of 0, 1, 2, 3")
    signs = {name: float(rng.uniform(*ranges[mayo])) for name, ranges in _RANGES.items()}
    lot = rng.random()
    if lot < _ULCER_ALONE:
        signs["bleeding"] = 0.0
    elif lot < _ULCER_ALONE + _BLEEDING_ALONE:
        signs["ulcer"] = 0.0
    return Inflammation(mayo=mayo, **signs)


def inflamed(
    wall: Wall, mucosa: Mucosa, colitis: Inflammation, rng: np.random.Generator
) -> tuple[Wall, Mucosa]:
    """Wall and mucosa of a segment with colitis.

    The vessels of a segment at rest are clear, for a grader to see; as inflammation rises, oedema
    thickens the folds and takes their height. ``rng`` draws what the segment keeps at any grade.
    """
    oedema = colitis.erythema * rng.uniform(0.5, 1.0)
    folds = wall.folds.copy()
    folds[:, 1] *= 1.0 - 0.45 * oedema
    folds[:, 2] *= 1.0 + 0.5 * oedema
    share = rng.uniform(0.5, 0.85)
    tone = np.array([mucosa.red, mucosa.green, mucosa.blue])
    red, green, blue = tone + share * (np.array(_PALEST) - tone)
    signs = {f.name: getattr(colitis, f.name) for f in fields(colitis) if f.name != "mayo"}
    return (
        wall._replace(folds=folds, undulation=wall.undulation * (1.0 - 0.4 * oedema)),
        mucosa._replace(
            red=red,
            green=green,
            blue=blue,
            vessel=max(mucosa.vessel, rng.uniform(0.6, 0.95)),
            shade=mucosa.shade * (1.0 - 0.8 * min(colitis.erythema, 1.0)),
            dye=0.0,
            inflamed=1.0,
            **signs,
        ),
    )
