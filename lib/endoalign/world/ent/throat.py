"""A throat seen through the open mouth: palate, uvula, pillars, tonsils, back wall and tongue."""

from typing import NamedTuple

import numpy as np


class Throat(NamedTuple):
    """Geometry and looks of one throat; lengths in half widths of the isthmus, about."""

    arch: float  # half width of the opening between the anterior pillars
    arch_top: float  # y of its top
    palate: float  # z of the anterior pillars
    inner: float  # half width of the opening between the posterior pillars
    uvula: float  # length
    uvula_width: float
    uvula_x: float  # where its tip hangs
    tonsil: float  # radius of the tonsils
    tonsil_y: float
    tonsil_out: float  # how far they lie from the midline
    pits: float  # depth of the crypts
    wall: float  # z of the back wall
    grains: float  # lymphoid grains of the back wall
    tongue: float  # y of the tongue's back, negative
    coat: float  # white coat of the tongue
    red: float  # colour of the mucosa
    green: float
    blue: float
    erythema: float  # 0 to 1
    exudate: float  # 0 to 1, cover of the tonsils with white patches
    exudate_yellow: float
    noise: float


def sample_throat(rng: np.random.Generator, findings: tuple[str, ...], severity: float) -> Throat:
    """Draw a throat that shows ``findings`` at a ``severity`` from 0 to 1."""
    large = "enlarged_tonsils" in findings
    exudate = "exudate" in findings
    tone = rng.uniform(0.88, 1.1)
    tonsil = rng.uniform(0.28, 0.34)
    if large:
        tonsil = 0.46 + 0.12 * severity
    elif exudate:
        tonsil = rng.uniform(0.32, 0.38)
    return Throat(
        arch=rng.uniform(0.86, 1.0),
        arch_top=rng.uniform(0.5, 0.62),
        palate=rng.uniform(1.45, 1.75),
        inner=rng.uniform(0.6, 0.7),
        uvula=rng.uniform(0.3, 0.5),
        uvula_width=rng.uniform(0.1, 0.13),
        uvula_x=rng.normal(0, 0.04),
        tonsil=tonsil,
        tonsil_y=rng.uniform(-0.22, -0.08),
        tonsil_out=rng.uniform(0.74, 0.82) - (0.06 if large else 0.0),
        pits=rng.uniform(0.5, 1.0),
        wall=rng.uniform(2.7, 3.2),
        grains=rng.uniform(0.1, 0.5),
        tongue=-rng.uniform(0.5, 0.68),
        coat=rng.uniform(0.2, 0.8),
        red=0.83 * tone,
        green=0.38 * tone * rng.uniform(0.92, 1.08),
        blue=0.31 * tone * rng.uniform(0.92, 1.1),
        erythema=(0.6 + 0.35 * severity) if "redness" in findings else 0.0,
        exudate=(0.45 + 0.4 * severity) if exudate else 0.0,
        exudate_yellow=rng.uniform(0.0, 0.7),
        noise=rng.uniform(0, 400),
    )
