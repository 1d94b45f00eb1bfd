"""The shape of an upper region as one record of plain numbers that compiled code reads."""

from typing import Any, Final

import numpy as np

DUODENUM: Final = 1
ESOPHAGUS: Final = 2
SAC: Final = 3
BODY: Final = 4
ARCH: Final = 5
ANTRUM: Final = 6
"""Organ codes of `scene.Wall`, after that of the colon; the duodenum shares the colon's folds."""

UPPER_DTYPE: Final[Any] = np.dtype(
    [
        ("end", np.float64),  # z of the junction, the top of the dome, the arch or the pylorus
        ("depth", np.float64),  # half length of the dome along the axis, or reach of a waist, cm
        ("squash", np.float64),  # share by which the section departs from a circle
        ("squash_turn", np.float64),
        # longitudinal folds: how many around, height, how they wind, where they are highest
        ("folds", np.float64),
        ("fold_height", np.float64),
        ("fold_phase", np.float64),
        ("fold_wind", np.float64),
        ("fold_side", np.float64),  # angle of the greater curvature
        ("fold_one_sided", np.float64),
        # an opening and what surrounds it: junction, cardia around the endoscope, pylorus
        ("hole_x", np.float64),
        ("hole_y", np.float64),
        ("hole", np.float64),  # radius; of the oesophagus the share that stays open
        ("lip", np.float64),
        ("pleats", np.float64),
        ("pleat_height", np.float64),
        # the ridge of the incisura, or a ring of contraction in the antrum
        ("ridge", np.float64),
        ("ridge_bow", np.float64),
        ("ridge_z", np.float64),
        # surface: border of the two epithelia, states of the mucosa
        ("z_line", np.float64),
        ("z_tongue", np.float64),
        ("gastric_red", np.float64),
        ("gastric_green", np.float64),
        ("gastric_blue", np.float64),
        ("areae", np.float64),  # strength of the fine mosaic of the stomach
        ("atrophy", np.float64),
        ("bile", np.float64),
        ("varices", np.float64),  # how many columns
        ("varix_height", np.float64),
        ("varix_phase", np.float64),
    ]
)
"""One region's form: lengths in cm, angles in radians."""

NO_FORM: Final[Any] = np.zeros(0, UPPER_DTYPE)
"""The form of an organ that has none, the colon."""
