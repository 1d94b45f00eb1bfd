"""A right nasal cavity: septum, inferior and middle turbinate, meatus, and findings.

The examiner faces the patient: in the right cavity the septum is on the image's right, the lateral
wall with the turbinates on its left (left cavity: the mirror image).
"""

from typing import NamedTuple

import numpy as np


class Nose(NamedTuple):
    """Geometry and looks of one right nasal cavity; lengths in half widths of the cavity."""

    septum: float  # x of the septum
    deviation: float  # how far it leans into the cavity, 0 for a straight septum
    deviation_y: float
    deviation_z: float
    spur: float  # ridge on a deviated septum
    spur_y: float
    lateral: float  # x of the lateral wall, negative
    floor: float  # y of the floor, negative
    roof: float
    end: float  # z of the nasopharynx
    inferior: float  # radius of the inferior turbinate
    inferior_y: float
    inferior_z: float  # z of its head
    middle: float  # half width of the middle turbinate
    middle_x: float
    middle_low: float  # y of its free edge
    middle_z: float
    bulla: float  # radius of the ethmoid bulla
    relief: float
    red: float  # colour of the mucosa
    green: float
    blue: float
    pale: float  # 0 to 1, pale and boggy turbinates
    polyp: float  # radius, 0 for none
    polyp_x: float
    polyp_y: float
    polyp_z: float
    second: float  # radius of a second polyp
    pool: float  # height of the discharge on the floor, 0 for none
    strand: float  # thickness of the strand of mucus, 0 for none
    strand_x: float
    strand_z: float
    yellow: float  # 0 watery … 1 purulent
    noise: float


def sample_nose(rng: np.random.Generator, findings: tuple[str, ...], severity: float) -> Nose:
    """Draw a right nasal cavity that shows ``findings`` at a ``severity`` from 0 to 1."""
    polyp = "polyp" in findings
    discharge = "discharge" in findings
    pale = "pale_turbinates" in findings
    bent = "deviated_septum" in findings
    large = "enlarged_turbinate" in findings
    tone = rng.uniform(0.88, 1.1)
    inferior = rng.uniform(0.36, 0.44) + (0.06 if pale else 0.0)
    if large:
        inferior = rng.uniform(0.56, 0.64) + 0.14 * severity
    middle_z = rng.uniform(1.15, 1.5)
    middle_x = rng.uniform(-0.2, -0.1)
    return Nose(
        septum=rng.uniform(0.34, 0.46),
        deviation=(0.3 + 0.17 * severity) if bent else max(0.0, rng.normal(0.0, 0.03)),
        deviation_y=rng.uniform(-0.25, 0.3),
        deviation_z=rng.uniform(1.5, 2.1),
        spur=rng.uniform(0.06, 0.2) if bent else 0.0,
        spur_y=rng.uniform(-0.55, -0.2),
        lateral=-rng.uniform(0.78, 0.92),
        floor=-rng.uniform(0.8, 0.92),
        roof=rng.uniform(1.1, 1.3),
        end=rng.uniform(4.6, 5.6),
        inferior=inferior,
        inferior_y=rng.uniform(-0.42, -0.28),
        inferior_z=rng.uniform(0.7, 1.0),
        middle=rng.uniform(0.16, 0.22) * (1.2 if pale else 1.0),
        middle_x=middle_x,
        middle_low=rng.uniform(0.0, 0.14),
        middle_z=middle_z,
        bulla=rng.uniform(0.2, 0.28),
        relief=rng.uniform(0.7, 1.4),
        red=0.8 * tone,
        green=0.34 * tone * rng.uniform(0.9, 1.1),
        blue=0.29 * tone * rng.uniform(0.9, 1.12),
        pale=(0.6 + 0.35 * severity) if pale else 0.0,
        polyp=(0.21 + 0.15 * severity) if polyp else 0.0,
        polyp_x=rng.uniform(-0.46, -0.36),
        polyp_y=rng.uniform(0.08, 0.22),
        polyp_z=middle_z + rng.uniform(0.1, 0.3),
        second=rng.uniform(0.12, 0.2) if polyp and rng.random() < 0.5 else 0.0,
        pool=(0.14 + 0.12 * severity) if discharge else 0.0,
        strand=(0.045 + 0.04 * severity) if discharge else 0.0,
        strand_x=rng.uniform(-0.22, -0.02),
        strand_z=rng.uniform(1.0, 1.3),
        yellow=rng.uniform(0.0, 1.0),
        noise=rng.uniform(0, 400),
    )
