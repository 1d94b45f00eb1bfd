"""The nine segments of the colon: ranges of their geometry and surface.

Calibres and folds follow textbook anatomy as the endoscopist meets it: the villous narrow ileum,
the wide caecum with orifice and valve, deep folds of the ascending colon, a triangular transverse
colon, bends with the bluish shade of liver and spleen, a long smooth descending tube, the
muscular winding sigmoid, the rectum with its valves and veins.
"""

from dataclasses import dataclass
from typing import Final

from endoalign.vocabulary import COLON_REGIONS


@dataclass(frozen=True)
class Segment:
    """Ranges (low, high) from which one patient's segment is drawn; lengths in cm."""

    radius: tuple[float, float]
    triangle: tuple[float, float]
    bend: tuple[float, float]
    fold_spacing: tuple[float, float]
    fold_height: tuple[float, float]
    fold_thickness: tuple[float, float]
    one_sided: tuple[float, float]
    undulation: tuple[float, float]
    vessel: tuple[float, float]
    vessel_rate: tuple[float, float]
    tone: tuple[float, float, float]  # factor on the patient's mucosa
    bend_at: float = 5.0
    vessel_width: float = 0.026
    vessel_blue: float = 0.0
    villi: float = 0.0
    shade: float = 0.0
    blind: bool = False


SEGMENTS: Final[dict[str, Segment]] = {
    "terminal_ileum": Segment(
        (1.15, 1.4),
        (0.0, 0.02),
        (0.2, 0.5),
        (1.4, 2.2),
        (0.05, 0.16),
        (0.1, 0.16),
        (0.0, 0.3),
        (0.12, 0.2),
        (0.0, 0.1),
        (0.9, 1.2),
        (1.0, 1.12, 0.95),
        villi=1.0,
    ),
    "ileocecal": Segment(
        (2.6, 3.1),
        (0.0, 0.03),
        (0.0, 0.12),
        (2.6, 3.2),
        (0.5, 0.8),
        (0.16, 0.24),
        (0.5, 0.9),
        (0.15, 0.3),
        (0.35, 0.6),
        (0.5, 0.7),
        (1.0, 1.0, 1.0),
        blind=True,
    ),
    "ascending_colon": Segment(
        (2.4, 2.9),
        (0.02, 0.05),
        (0.05, 0.25),
        (2.0, 2.6),
        (0.7, 1.0),
        (0.16, 0.24),
        (0.3, 0.7),
        (0.1, 0.25),
        (0.4, 0.65),
        (0.5, 0.7),
        (1.0, 1.0, 0.98),
    ),
    "hepatic_flexure": Segment(
        (2.3, 2.8),
        (0.03, 0.06),
        (0.75, 1.0),
        (1.9, 2.5),
        (0.5, 0.8),
        (0.14, 0.2),
        (0.2, 0.6),
        (0.15, 0.3),
        (0.3, 0.55),
        (0.5, 0.7),
        (0.97, 1.0, 1.05),
        bend_at=6.0,
        shade=0.85,
    ),
    "transverse_colon": Segment(
        (2.0, 2.5),
        (0.07, 0.1),
        (0.02, 0.2),
        (1.5, 1.9),
        (0.5, 0.75),
        (0.09, 0.14),
        (0.0, 0.12),
        (0.03, 0.1),
        (0.35, 0.6),
        (0.6, 0.8),
        (1.0, 1.02, 1.02),
    ),
    "splenic_flexure": Segment(
        (1.7, 2.1),
        (0.01, 0.04),
        (0.9, 1.2),
        (1.4, 1.8),
        (0.4, 0.6),
        (0.12, 0.18),
        (0.1, 0.5),
        (0.15, 0.3),
        (0.4, 0.7),
        (0.6, 0.8),
        (0.97, 0.98, 1.05),
        bend_at=4.0,
        shade=0.5,
    ),
    "descending_colon": Segment(
        (1.6, 1.95),
        (0.0, 0.02),
        (0.0, 0.15),
        (2.6, 3.6),
        (0.14, 0.32),
        (0.12, 0.2),
        (0.4, 0.9),
        (0.05, 0.12),
        (0.55, 0.85),
        (0.6, 0.8),
        (1.0, 0.98, 0.96),
        vessel_width=0.03,
    ),
    "sigmoid_colon": Segment(
        (1.35, 1.7),
        (0.0, 0.02),
        (0.4, 0.75),
        (0.9, 1.25),
        (0.3, 0.5),
        (0.18, 0.26),
        (0.2, 0.6),
        (0.15, 0.3),
        (0.25, 0.5),
        (0.8, 1.1),
        (1.0, 0.93, 0.92),
        bend_at=3.5,
    ),
    "rectum": Segment(
        (2.2, 2.8),
        (0.0, 0.02),
        (0.1, 0.3),
        (3.2, 4.2),
        (0.9, 1.3),
        (0.18, 0.26),
        (1.0, 1.15),
        (0.06, 0.15),
        (0.75, 1.0),
        (0.35, 0.5),
        (1.0, 0.95, 0.95),
        vessel_width=0.042,
        vessel_blue=0.6,
    ),
}


def segment_of(region: str) -> Segment:
    """The segment's ranges; `ValueError` naming the nine regions for any other name."""
    if region not in SEGMENTS:
        raise ValueError(f"region {region!r} is not drawn; use one of {', '.join(COLON_REGIONS)}")
    return SEGMENTS[region]
