"""A larynx seen from above, the front (anterior commissure, epiglottis) at the top of the image."""

from typing import NamedTuple

import numpy as np


class Larynx(NamedTuple):
    """Geometry and looks of one larynx; lengths in lengths of the vocal cords, about."""

    level: float  # z of the vocal cords
    front: float  # y of the anterior commissure
    back: float  # y of the vocal processes, negative
    gap: float  # half width of the glottis at the back
    gap_curve: float  # exponent of its outline
    cord: float  # width of a vocal cord
    ventricle: float  # depth of the ventricle beside it
    vestibular: float  # height of the vestibular (false) cords
    rim: float  # radius of the aryepiglottic rim
    epiglottis_y: float
    epiglottis: float  # height of the epiglottis over the cords
    omega: float  # curl of the epiglottis
    arytenoid_x: float
    arytenoid: float  # radius of the arytenoids
    red: float  # colour of the mucosa
    green: float
    blue: float
    pearl: float  # brightness of the cords
    erythema: float  # 0 to 1, redness of cords and arytenoids
    oedema: float  # 0 to 1, swelling of the cords
    nodule: float  # radius of paired nodules, 0 for none
    nodule_y: float
    polyp: float  # radius of a polyp of one cord, 0 for none
    polyp_y: float
    polyp_side: float  # -1 or 1
    polyp_red: float
    rings: float  # contrast of the tracheal rings
    noise: float


def sample_larynx(
    rng: np.random.Generator, findings: tuple[str, ...], severity: float, *, is_open: bool
) -> Larynx:
    """Draw a larynx, open or closed, that shows ``findings`` at a ``severity`` from 0 to 1.

    A share of the closed ones keeps a slit: incomplete closure is common in real pictures.
    """
    swollen = "oedema" in findings
    tone = rng.uniform(0.88, 1.1)
    slit = 0.018 if rng.random() < 0.7 else rng.uniform(0.02, 0.045)
    gap = rng.uniform(0.3, 0.5) if is_open else slit
    swell = (0.5 + 0.5 * severity) if swollen else 0.0
    front, back = rng.uniform(0.58, 0.7), -rng.uniform(0.5, 0.62)
    third = front - (front - back) * rng.uniform(0.3, 0.4)
    return Larynx(
        level=rng.uniform(1.9, 2.2),
        front=front,
        back=back,
        gap=gap,
        gap_curve=rng.uniform(0.75, 1.0),
        cord=rng.uniform(0.16, 0.22) + 0.09 * swell,
        ventricle=rng.uniform(0.1, 0.2) * (1.0 - 0.6 * swell),
        vestibular=rng.uniform(0.32, 0.5),
        rim=rng.uniform(0.8, 0.92),
        epiglottis_y=rng.uniform(0.82, 0.92),
        epiglottis=rng.uniform(0.75, 0.95),
        omega=rng.uniform(0.4, 0.9),
        arytenoid_x=(rng.uniform(0.4, 0.52) if is_open else rng.uniform(0.19, 0.25)),
        arytenoid=rng.uniform(0.2, 0.27),
        red=0.82 * tone,
        green=0.37 * tone * rng.uniform(0.92, 1.1),
        blue=0.3 * tone * rng.uniform(0.9, 1.15),
        pearl=rng.uniform(0.88, 1.0),
        erythema=(0.55 + 0.4 * severity) if "redness" in findings else 0.0,
        oedema=swell,
        nodule=(0.055 + 0.045 * severity) if "nodules" in findings else 0.0,
        nodule_y=third,
        polyp=(0.13 + 0.09 * severity) if "polyp" in findings else 0.0,
        polyp_y=third + rng.uniform(-0.12, 0.06),
        polyp_side=float(rng.choice([-1.0, 1.0])),
        polyp_red=rng.uniform(0.3, 1.0),
        rings=rng.uniform(0.5, 1.0),
        noise=rng.uniform(0, 400),
    )
