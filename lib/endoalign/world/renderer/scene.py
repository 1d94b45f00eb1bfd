"""The scene as plain numbers that compiled code reads: wall, lesions, camera, light, surfaces.

Lengths are centimetres. The lumen runs along +z (towards the caecum); free space has positive
distance. A new organ adds an ``organ`` code here and a wall function in `distance`.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from endoalign.world.renderer.upper_form import NO_FORM

FloatArray = npt.NDArray[np.float64]

COLON: Final = 0
"""Organ code of `Wall.organ`, as those of `upper_form`; the distance function chooses by them."""

MAX_LOBES: Final = 8

FOLD_FIELDS: Final = 7
"""Columns of `Wall.folds`: z, height, thickness, cos and sin of the crest, one-sidedness, tilt."""


class Wall(NamedTuple):
    """Geometry of the lumen around the camera."""

    organ: int
    radius: float
    triangle: float  # share of the radius by which the section departs from a circle
    triangle_cos: float
    triangle_sin: float
    bend: float  # tangent of half the angle of the flexure
    bend_at: float
    bend_round: float
    bend_x: float  # unit vector of the side to which the lumen turns
    bend_y: float
    undulation: float
    undulation_rate: float
    folds: FloatArray  # (n, FOLD_FIELDS), equally spaced on average
    fold_first: float
    fold_spacing: float
    fold_blend: float
    end: float  # z of the blind end (caecum); far away where the lumen is open
    orifice_x: float
    orifice_y: float
    orifice: float  # half length of the appendiceal orifice, 0 for none
    valve_x: float  # unit vector from the axis to the ileocaecal valve
    valve_y: float
    valve_z: float
    valve: float  # half length of the valve, 0 for none
    offset_x: float  # where this patient's wall reads the noise field
    offset_y: float
    offset_z: float
    form: Any = NO_FORM  # of an upper region, one record of `upper_form.UPPER_DTYPE`


class Mucosa(NamedTuple):
    """What the wall's surface looks like."""

    red: float
    green: float
    blue: float
    mottle: float  # relative strength of blotches
    mottle_rate: float
    vessel: float  # opacity of the vessels
    vessel_rate: float  # per cm
    vessel_width: float
    vessel_blue: float  # 0 arterial red … 1 veins of the rectum
    relief: float  # slope of the fine relief
    relief_rate: float
    villi: float  # strength of the velvety relief of the ileum
    gloss: float
    shade: float  # bluish shade of liver or spleen behind the wall
    shade_x: float
    shade_y: float
    stool: float  # 0 to 1, share of the wall that is soiled
    flecks: float  # size of flecks of residue and mucus, 0 for a clean wall
    soil_red: float
    soil_green: float
    soil_blue: float
    fluid: float  # height of the fluid level over the axis, cm; far below where there is none
    fluid_red: float
    fluid_green: float
    fluid_blue: float
    dye: float
    inflamed: float = 0.0  # 1 where there is colitis; the signs below, 0 to 1, count only there
    vascular: float = 1.0  # share of the vessels that is left
    erythema: float = 0.0
    granular: float = 0.0
    petechiae: float = 0.0
    erosion: float = 0.0
    ulcer: float = 0.0
    bleeding: float = 0.0
    exudate: float = 0.0


class Camera(NamedTuple):
    """Pose, lens and lights of the endoscope's tip. Rows: right, up, forward."""

    x: float
    y: float
    z: float
    rotation: FloatArray  # (3, 3)
    half_view: float  # radians from the axis to the upper edge of the frame
    distortion: float
    light_offset: float
    light_balance: float
    falloff: float


class Tool(NamedTuple):
    """An instrument: a capsule from one point to another, radius 0 where there is none."""

    ax: float
    ay: float
    az: float
    bx: float
    by: float
    bz: float
    radius: float
    red: float
    green: float
    blue: float


LESION_DTYPE: Final[Any] = np.dtype(
    [
        *((f"{axis}", np.float64) for axis in "xyz"),  # base point on the wall
        *((f"{row}{axis}", np.float64) for row in "uvw" for axis in "xyz"),  # w: into the lumen
        # shape, in cm: head or plateau, stalk, width of the margin, radius of the bounding sphere
        ("plateau", np.float64),
        ("radius", np.float64),
        ("aspect", np.float64),
        ("height", np.float64),
        ("rise", np.float64),
        ("lean_u", np.float64),
        ("lean_v", np.float64),
        ("stalk", np.float64),
        ("stalk_radius", np.float64),
        ("blend", np.float64),
        ("fade", np.float64),
        ("bound", np.float64),
        # relief, in radii: outline harmonics, lobes (unit direction, weight), dip, ulcer
        *((f"{part}{order}", np.float64) for order in (2, 3, 5) for part in "cs"),
        ("lobe_count", np.float64),
        ("lobes", np.float64, (MAX_LOBES, 4)),
        ("lobulation", np.float64),
        ("nodules", np.float64),
        ("dent", np.float64),
        ("ulcer", np.float64),
        ("ulcer_depth", np.float64),
        *((f"ulcer_{axis}", np.float64) for axis in "xyz"),
        # surface: colour over the mucosa's, gloss, strengths, places of defects and coats
        *((f"tint_{channel}", np.float64) for channel in "rgb"),
        ("gloss", np.float64),
        ("rough", np.float64),
        ("granular", np.float64),
        ("villous", np.float64),
        ("grain_rate", np.float64),
        ("congestion", np.float64),
        ("erosion", np.float64),
        *((f"erosion_{axis}", np.float64) for axis in "xyz"),
        *(
            (f"{coat}{part}", np.float64)
            for coat in ("bleed", "mucus", "coat")
            for part in ("_x", "_y")
        ),
        ("bleeding", np.float64),
        ("mucus", np.float64),
        ("coating", np.float64),
        ("offset", np.float64),
    ]
)
"""One lesion as a record: place, shape, surface."""
