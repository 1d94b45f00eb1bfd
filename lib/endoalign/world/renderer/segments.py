"""The nine segments of the colon: ranges of their geometry and surface.

Calibres and folds follow textbook anatomy as the endoscopist meets it: the villous narrow ileum,
the wide caecum with orifice and valve and the deep folds of the ascending colon, both stained by
bile, a pale triangular transverse colon with fine vessels, bends with the bluish shade of liver and
spleen, a long smooth descending tube with a rich vascular net, the red, muscular, winding sigmoid,
the rectum with its valves and veins. In life the segments overlap more than here; surfaces are set
apart so far that a frame of 64 pixels tells most of them.
"""

from dataclasses import dataclass
from typing import Final

from endoalign.vocabulary import COLON_REGIONS

Range = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Segment:
    """Ranges (low, high) from which one patient's segment is drawn; lengths in cm."""

    radius: Range
    triangle: Range
    bend: Range
    fold_spacing: Range
    fold_height: Range
    fold_thickness: Range
    one_sided: Range
    undulation: Range
    vessel: Range
    vessel_rate: Range
    tone: tuple[float, float, float]  # factor on the patient's mucosa
    mottle: Range = (0.1, 0.25)
    relief: Range = (0.05, 0.2)
    relief_rate: Range = (4.0, 6.0)
    flecks: Range = (0.0, 0.5)  # of yellow residue
    bend_at: float = 5.0
    vessel_width: float = 0.026
    vessel_blue: float = 0.0
    villi: float = 0.0
    shade: float = 0.0
    blind: bool = False


SEGMENTS: Final[dict[str, Segment]] = {
    "terminal_ileum": Segment(
        radius=(1.15, 1.4),
        triangle=(0.0, 0.02),
        bend=(0.2, 0.5),
        fold_spacing=(1.4, 2.2),
        fold_height=(0.05, 0.16),
        fold_thickness=(0.1, 0.16),
        one_sided=(0.0, 0.3),
        undulation=(0.12, 0.2),
        vessel=(0.0, 0.1),
        vessel_rate=(0.9, 1.2),
        tone=(1.0, 1.2, 0.9),
        villi=1.0,
    ),
    "ileocecal": Segment(
        radius=(2.6, 3.1),
        triangle=(0.0, 0.03),
        bend=(0.0, 0.12),
        fold_spacing=(2.6, 3.2),
        fold_height=(0.5, 0.8),
        fold_thickness=(0.16, 0.24),
        one_sided=(0.5, 0.9),
        undulation=(0.15, 0.3),
        vessel=(0.3, 0.5),
        vessel_rate=(0.4, 0.5),
        tone=(1.0, 1.45, 0.55),
        mottle=(0.1, 0.2),
        flecks=(0.8, 1.3),
        blind=True,
    ),
    "ascending_colon": Segment(
        radius=(2.4, 2.9),
        triangle=(0.02, 0.05),
        bend=(0.05, 0.25),
        fold_spacing=(2.0, 2.6),
        fold_height=(0.7, 1.0),
        fold_thickness=(0.16, 0.24),
        one_sided=(0.3, 0.7),
        undulation=(0.1, 0.25),
        vessel=(0.1, 0.25),
        vessel_rate=(0.5, 0.7),
        tone=(1.0, 1.15, 0.8),
        mottle=(0.35, 0.5),
        relief=(0.25, 0.4),
        relief_rate=(3.0, 4.0),
        flecks=(0.3, 0.9),
    ),
    "hepatic_flexure": Segment(
        radius=(2.3, 2.8),
        triangle=(0.03, 0.06),
        bend=(0.75, 1.0),
        fold_spacing=(1.9, 2.5),
        fold_height=(0.5, 0.8),
        fold_thickness=(0.14, 0.2),
        one_sided=(0.2, 0.6),
        undulation=(0.15, 0.3),
        vessel=(0.3, 0.55),
        vessel_rate=(0.5, 0.7),
        tone=(0.85, 1.1, 1.45),
        bend_at=6.0,
        shade=1.0,
    ),
    "transverse_colon": Segment(
        radius=(2.0, 2.5),
        triangle=(0.08, 0.12),
        bend=(0.02, 0.2),
        fold_spacing=(1.5, 1.9),
        fold_height=(0.5, 0.75),
        fold_thickness=(0.08, 0.12),
        one_sided=(0.0, 0.12),
        undulation=(0.03, 0.1),
        vessel=(0.35, 0.6),
        vessel_rate=(1.1, 1.4),
        tone=(1.05, 1.6, 1.55),
        mottle=(0.05, 0.12),
        relief=(0.02, 0.08),
        vessel_width=0.02,
    ),
    "splenic_flexure": Segment(
        radius=(1.7, 2.1),
        triangle=(0.01, 0.04),
        bend=(0.9, 1.2),
        fold_spacing=(1.4, 1.8),
        fold_height=(0.4, 0.6),
        fold_thickness=(0.12, 0.18),
        one_sided=(0.1, 0.5),
        undulation=(0.15, 0.3),
        vessel=(0.5, 0.8),
        vessel_rate=(0.9, 1.1),
        tone=(0.75, 0.85, 0.95),
        mottle=(0.35, 0.5),
        bend_at=4.0,
        shade=0.45,
    ),
    "descending_colon": Segment(
        radius=(1.6, 1.95),
        triangle=(0.0, 0.02),
        bend=(0.0, 0.15),
        fold_spacing=(2.6, 3.6),
        fold_height=(0.14, 0.32),
        fold_thickness=(0.12, 0.2),
        one_sided=(0.4, 0.9),
        undulation=(0.05, 0.12),
        vessel=(0.8, 1.0),
        vessel_rate=(0.65, 0.8),
        tone=(1.05, 1.25, 1.05),
        mottle=(0.05, 0.15),
        relief=(0.02, 0.08),
        vessel_width=0.042,
    ),
    "sigmoid_colon": Segment(
        radius=(1.35, 1.7),
        triangle=(0.0, 0.02),
        bend=(0.4, 0.75),
        fold_spacing=(0.9, 1.25),
        fold_height=(0.3, 0.5),
        fold_thickness=(0.18, 0.26),
        one_sided=(0.2, 0.6),
        undulation=(0.15, 0.3),
        vessel=(0.1, 0.25),
        vessel_rate=(0.8, 1.1),
        tone=(1.0, 0.75, 0.7),
        bend_at=3.5,
    ),
    "rectum": Segment(
        radius=(2.2, 2.8),
        triangle=(0.0, 0.02),
        bend=(0.1, 0.3),
        fold_spacing=(3.2, 4.2),
        fold_height=(0.9, 1.3),
        fold_thickness=(0.18, 0.26),
        one_sided=(1.0, 1.15),
        undulation=(0.06, 0.15),
        vessel=(0.85, 1.0),
        vessel_rate=(0.35, 0.5),
        tone=(1.0, 0.9, 1.2),
        mottle=(0.05, 0.15),
        relief=(0.02, 0.08),
        vessel_width=0.06,
        vessel_blue=0.8,
    ),
}


def segment_of(region: str) -> Segment:
    """The segment's ranges; `ValueError` naming the nine regions for any other name."""
    if region not in SEGMENTS:
        raise ValueError(f"region {region!r} is not drawn; use one of {', '.join(COLON_REGIONS)}")
    return SEGMENTS[region]
