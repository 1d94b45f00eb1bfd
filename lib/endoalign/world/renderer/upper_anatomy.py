"""One patient's upper regions: wall and surface, each drawn from its ranges."""

from typing import Final

import numpy as np

from endoalign.world.renderer.scene import FOLD_FIELDS, FloatArray, Mucosa, Wall
from endoalign.world.renderer.upper_form import (
    ANTRUM,
    ARCH,
    BODY,
    DUODENUM,
    ESOPHAGUS,
    SAC,
)
from endoalign.world.renderer.upper_shapes import build_form

ORGANS: Final = {
    "esophagus": ESOPHAGUS,
    "cardia": SAC,
    "fundus": SAC,
    "body": BODY,
    "angularis": ARCH,
    "antrum": ANTRUM,
    "pylorus": ANTRUM,
    "duodenum": DUODENUM,
}
_RADIUS: Final = {
    "esophagus": (0.95, 1.2),
    "cardia": (3.2, 3.8),
    "fundus": (3.4, 4.2),
    "body": (2.3, 2.9),
    "angularis": (3.0, 3.5),
    "antrum": (2.3, 2.8),
    "pylorus": (2.3, 2.8),
    "duodenum": (1.35, 1.7),
}
_TONE: Final = {
    "esophagus": (1.1, 1.85, 2.0),
    "cardia": (1.0, 1.0, 0.95),
    "fundus": (1.0, 0.95, 0.9),
    "body": (1.0, 0.9, 0.85),
    "angularis": (1.0, 1.1, 1.0),
    "antrum": (1.03, 1.2, 1.0),
    "pylorus": (1.03, 1.2, 1.0),
    "duodenum": (1.0, 1.4, 0.95),
}
"""Factor on the patient's mucosa: pale oesophagus, red body, yellower antrum and duodenum."""


def place_of(region: str) -> str:
    """The region whose geometry a region shares: antrum and pylorus are one funnel."""
    return "antrum" if region == "pylorus" else region


def _circular_folds(rng: np.random.Generator, spacing: float) -> FloatArray:
    """The thin, close folds of the duodenum; each runs out on a side of its own."""
    count = int(30.0 / spacing)
    rows = np.zeros((count, FOLD_FIELDS))
    for i in range(count):
        side = rng.uniform(0, 2 * np.pi)
        rows[i] = (
            -8.0 + spacing * (i + rng.uniform(-0.26, 0.26)),
            rng.uniform(0.2, 0.45),
            rng.uniform(0.05, 0.08),
            np.cos(side),
            np.sin(side),
            rng.uniform(0.1, 0.85),
            float(np.clip(rng.normal(0, 0.14), -0.25, 0.25)),
        )
    return rows


def build_upper_wall(region: str, rng: np.random.Generator) -> Wall:
    """Geometry of one patient's region; the axis runs from the camera towards the landmark."""
    duodenal = region == "duodenum"
    spacing = rng.uniform(0.6, 0.8)
    turn = rng.uniform(0, 2 * np.pi)
    offset = rng.uniform(-300, 300, 3)
    return Wall(
        organ=ORGANS[region],
        radius=rng.uniform(*_RADIUS[region]),
        triangle=0.0,
        triangle_cos=1.0,
        triangle_sin=0.0,
        bend=rng.uniform(0.25, 0.7) if duodenal else 0.0,
        bend_at=5.0,
        bend_round=1.6,
        bend_x=np.cos(turn),
        bend_y=np.sin(turn),
        undulation=rng.uniform(0.04, 0.1) if region == "esophagus" else rng.uniform(0.1, 0.22),
        undulation_rate=rng.uniform(0.4, 0.65),
        folds=_circular_folds(rng, spacing) if duodenal else np.zeros((0, FOLD_FIELDS)),
        fold_first=-8.0,
        fold_spacing=spacing,
        fold_blend=0.16,
        end=99.0,
        orifice_x=0.0,
        orifice_y=0.0,
        orifice=0.0,
        valve_x=0.0,
        valve_y=0.0,
        valve_z=0.0,
        valve=0.0,
        offset_x=offset[0],
        offset_y=offset[1],
        offset_z=offset[2],
        form=build_form(region, rng),
    )


def build_upper_mucosa(region: str, tone: FloatArray, rng: np.random.Generator) -> Mucosa:
    """Surface of the region on a patient's ``tone``."""
    red, green, blue = np.minimum(tone * np.array(_TONE[region]), 0.85)
    squamous, duodenal = region == "esophagus", region == "duodenum"
    return Mucosa(
        red=red,
        green=green,
        blue=blue,
        mottle=rng.uniform(0.05, 0.15) if squamous else rng.uniform(0.15, 0.4),
        mottle_rate=rng.uniform(0.5, 1.1),
        vessel=rng.uniform(0.1, 0.3) if region in {"fundus", "angularis"} else 0.0,
        vessel_rate=rng.uniform(0.7, 1.0),
        vessel_width=0.026,
        vessel_blue=0.0,
        relief=rng.uniform(0.03, 0.1) if squamous else rng.uniform(0.05, 0.25),
        relief_rate=rng.uniform(3.0, 6.0),
        villi=rng.uniform(0.8, 1.2) if duodenal else 0.0,
        gloss=rng.uniform(0.6, 1.3),
        shade=0.0,
        shade_x=1.0,
        shade_y=0.0,
        stool=0.0,
        flecks=0.0,
        soil_red=0.68,
        soil_green=0.62,
        soil_blue=0.5,
        fluid=-99.0,
        fluid_red=0.5,
        fluid_green=0.35,
        fluid_blue=0.1,
        dye=0.0,
    )
