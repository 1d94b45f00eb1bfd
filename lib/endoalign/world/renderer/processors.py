"""Image processors of the simulated centres: what each makes of the same light.

The names are invented; the ranges follow what public endoscopy data sets look like (content areas
octagonal, round or cropped, frames 4:3 to 16:9, sharpening halos, burnt-in overlays).
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Processor:
    """One centre's chain from light to pixels."""

    name: str
    aspect: float  # width over height
    shape: str  # octagon | round | rounded | full
    margin: float  # share of the height left black at the left and right
    cut: float  # corner cut of an octagon, share of the height
    half_view: float  # radians from the axis to the upper edge
    gain: tuple[float, float, float]  # white balance
    saturation: float
    gamma: float
    contrast: float
    sharpen: float
    softness: float  # optical blur, share of the height
    detail: float  # native resolution over the frame's, below 1 for upscaled sources
    noise: float
    interlace: bool = False
    inset: str | None = None  # colour of the position inset in the lower left corner
    text: str | None = None  # style of the burnt-in text: left | top | right
    vignette: float = 0.3


PROCESSORS: Final[dict[str, Processor]] = {
    p.name: p
    for p in (
        Processor(
            "centre_a",
            1.15,
            "octagon",
            0.01,
            0.24,
            1.08,
            (1.0, 1.0, 1.0),
            1.1,
            2.2,
            1.1,
            0.9,
            0.003,
            1.0,
            0.008,
            inset="black",
            text="left",
        ),
        Processor(
            "centre_b",
            1.25,
            "round",
            0.02,
            0.0,
            1.0,
            (1.05, 0.97, 0.92),
            1.2,
            2.1,
            1.0,
            0.4,
            0.006,
            0.8,
            0.012,
            text="right",
        ),
        Processor(
            "centre_c",
            1.33,
            "rounded",
            0.0,
            0.1,
            0.95,
            (0.98, 1.02, 1.04),
            0.95,
            2.3,
            1.15,
            1.3,
            0.002,
            1.0,
            0.006,
            text="top",
        ),
        Processor(
            "centre_d",
            1.15,
            "octagon",
            0.03,
            0.3,
            1.15,
            (1.08, 0.95, 0.9),
            1.3,
            2.0,
            1.05,
            0.6,
            0.004,
            0.7,
            0.015,
            interlace=True,
            inset="green",
        ),
        Processor(
            "centre_e",
            1.78,
            "rounded",
            0.2,
            0.14,
            1.0,
            (0.95, 1.0, 1.1),
            0.9,
            2.2,
            0.95,
            0.2,
            0.008,
            0.6,
            0.02,
            text="left",
        ),
        Processor(
            "centre_f",
            1.0,
            "full",
            0.0,
            0.0,
            0.9,
            (1.02, 1.0, 0.95),
            1.1,
            2.2,
            1.2,
            1.6,
            0.002,
            1.0,
            0.006,
        ),
        Processor(
            "centre_g",
            1.2,
            "octagon",
            0.0,
            0.18,
            1.12,
            (1.1, 0.92, 0.95),
            1.25,
            2.4,
            1.1,
            1.1,
            0.003,
            0.9,
            0.01,
            inset="blue",
            text="top",
        ),
        Processor(
            "centre_h",
            1.33,
            "round",
            0.05,
            0.0,
            1.2,
            (0.97, 1.03, 0.97),
            1.0,
            1.9,
            0.9,
            0.1,
            0.01,
            0.5,
            0.022,
            interlace=True,
            text="left",
        ),
        Processor(
            "centre_i",
            1.25,
            "rounded",
            0.02,
            0.2,
            1.05,
            (1.0, 1.05, 0.88),
            1.15,
            2.2,
            1.1,
            0.8,
            0.004,
            0.85,
            0.01,
            inset="black",
            text="right",
        ),
        Processor(
            "centre_j",
            1.15,
            "octagon",
            0.02,
            0.27,
            1.0,
            (1.05, 1.0, 1.05),
            1.05,
            2.3,
            1.0,
            0.5,
            0.005,
            1.0,
            0.008,
            inset="black",
            text="left",
            vignette=0.5,
        ),
    )
}


def processor_named(name: str) -> Processor:
    """The processor of a centre; `ValueError` listing the known names for any other."""
    if name not in PROCESSORS:
        raise ValueError(f"processor {name!r} is unknown; use one of {', '.join(PROCESSORS)}")
    return PROCESSORS[name]
