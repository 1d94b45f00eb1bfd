"""One patient's segment of the colon, drawn from the ranges of `segments`."""

import numpy as np

from endoalign.world.renderer.scene import COLON, FOLD_FIELDS, FloatArray, Mucosa, Wall
from endoalign.world.renderer.segments import Segment, segment_of

_SOIL = ((0.46, 0.35, 0.06), (0.42, 0.25, 0.07), (0.62, 0.54, 0.3), (0.68, 0.62, 0.5))
"""Albedo of residue: yellow-green and brown stool, mucus, froth."""


def _folds(segment: Segment, spacing: float, rng: np.random.Generator) -> FloatArray:
    count = int(34.0 / spacing)
    rows = np.zeros((count, FOLD_FIELDS))
    side = rng.uniform(0, 2 * np.pi)
    for i in range(count):
        side += np.pi + rng.normal(0, 0.7)
        rows[i] = (
            -10.0 + spacing * (i + rng.uniform(-0.22, 0.22)),
            rng.uniform(*segment.fold_height),
            rng.uniform(*segment.fold_thickness),
            np.cos(side),
            np.sin(side),
            rng.uniform(*segment.one_sided),
            float(np.clip(rng.normal(0, 0.11), -0.22, 0.22)) * min(spacing, 2.0),
        )
    return rows


def build_wall(region: str, rng: np.random.Generator) -> Wall:
    """Geometry of one patient's segment, drawn from its ranges."""
    segment = segment_of(region)
    spacing = rng.uniform(*segment.fold_spacing)
    phase, turn, valve = rng.uniform(0, 2 * np.pi, 3)
    offset = rng.uniform(-300, 300, 3)
    end = rng.uniform(5.5, 8.0) if segment.blind else 99.0
    return Wall(
        organ=COLON,
        radius=rng.uniform(*segment.radius),
        triangle=rng.uniform(*segment.triangle),
        triangle_cos=np.cos(phase),
        triangle_sin=np.sin(phase),
        bend=rng.uniform(*segment.bend),
        bend_at=segment.bend_at + rng.uniform(-0.7, 0.7),
        bend_round=rng.uniform(1.2, 2.2),
        bend_x=np.cos(turn),
        bend_y=np.sin(turn),
        undulation=rng.uniform(*segment.undulation),
        undulation_rate=rng.uniform(0.4, 0.7),
        folds=_folds(segment, spacing, rng),
        fold_first=-10.0,
        fold_spacing=spacing,
        fold_blend=rng.uniform(0.25, 0.5),
        end=end,
        orifice_x=rng.uniform(-0.7, 0.7),
        orifice_y=rng.uniform(-0.7, 0.7),
        orifice=rng.uniform(0.2, 0.35) if segment.blind else 0.0,
        valve_x=np.cos(valve),
        valve_y=np.sin(valve),
        valve_z=end - rng.uniform(2.2, 3.2),
        valve=rng.uniform(0.9, 1.3) if segment.blind else 0.0,
        offset_x=offset[0],
        offset_y=offset[1],
        offset_z=offset[2],
    )


def patient_tone(rng: np.random.Generator) -> FloatArray:
    """Albedo of one patient's mucosa, linear RGB: pale to hyperaemic, pink to orange-brown."""
    red = rng.uniform(0.54, 0.7)
    green = red * rng.uniform(0.24, 0.36)
    return np.array([red, green, green * rng.uniform(0.55, 0.75)])


def build_mucosa(region: str, tone: FloatArray, wall: Wall, rng: np.random.Generator) -> Mucosa:
    """Surface of the segment on a patient's ``tone``."""
    segment = segment_of(region)
    red, green, blue = tone * np.array(segment.tone)
    soil = np.array(_SOIL[rng.integers(len(_SOIL))]) * rng.uniform(0.8, 1.1)
    return Mucosa(
        red=red,
        green=green,
        blue=blue,
        mottle=rng.uniform(*segment.mottle),
        mottle_rate=rng.uniform(0.5, 1.1),
        vessel=rng.uniform(*segment.vessel),
        vessel_rate=rng.uniform(*segment.vessel_rate),
        vessel_width=segment.vessel_width * rng.uniform(0.8, 1.3),
        vessel_blue=segment.vessel_blue,
        relief=rng.uniform(*segment.relief),
        relief_rate=rng.uniform(*segment.relief_rate),
        villi=segment.villi * rng.uniform(0.7, 1.1),
        gloss=rng.uniform(0.5, 1.3),
        shade=segment.shade * rng.uniform(0.7, 1.1),
        shade_x=wall.bend_x,
        shade_y=wall.bend_y,
        stool=0.0,
        flecks=0.0 if rng.random() < 0.3 else rng.uniform(*segment.flecks),
        soil_red=soil[0],
        soil_green=soil[1],
        soil_blue=soil[2],
        fluid=-99.0,
        fluid_red=0.5,
        fluid_green=0.35,
        fluid_blue=0.1,
        dye=rng.uniform(0.4, 0.9) if rng.random() < 0.04 else 0.0,
    )
