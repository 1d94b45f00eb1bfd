"""Where the camera of an ENT picture is, what its lens and light are."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from endoalign.world.renderer.lens import rotation_towards

FloatArray = npt.NDArray[np.float64]


class Sight(NamedTuple):
    """Pose, lens and light. The rotation's rows are the image's right, up and the view."""

    x: float
    y: float
    z: float
    rotation: FloatArray  # (3, 3)
    half_view: float  # radians from the axis to the upper edge of the frame
    light_x: float  # the lamp beside the lens
    light_y: float
    falloff: float  # exponent of the light's loss with distance
    ambient: float


_JITTER: Final[dict[str, tuple[float, float, float]]] = {
    "nose": (0.1, 0.1, 0.13),
    "ear": (0.12, 0.08, 0.13),
    "vc": (0.14, 0.08, 0.22),
    "throat": (0.12, 0.08, 0.09),
}
"""Spread, by site, of the place (units), the turn and the roll (radians) of a hand-held scope."""

_START: Final[dict[str, tuple[float, float, float]]] = {
    "nose": (0.02, -0.08, 0.0),
    "ear": (0.0, 0.0, 0.0),
    "vc": (0.0, 0.05, -0.05),
    "throat": (0.0, 0.02, -0.2),
}
_VIEW: Final[dict[str, float]] = {"nose": 0.78, "ear": 0.58, "vc": 0.6, "throat": 0.6}


def sample_sight(site: str, rng: np.random.Generator, *, wide: float = 1.0) -> Sight:
    """Draw the pose of a scope at a site, ``wide`` times the usual angle of view."""
    place, turn, roll = _JITTER[site]
    x, y, z = _START[site]
    forward = np.array([rng.normal(0, turn), rng.normal(0, turn), 1.0])
    return Sight(
        x=x + float(np.clip(rng.normal(0, place), -2 * place, 2 * place)),
        y=y + float(np.clip(rng.normal(0, place), -2 * place, 2 * place)),
        z=z + rng.uniform(-0.25, 0.35),
        rotation=rotation_towards(forward, np.array([0.0, 1.0, 0.0]), rng.normal(0, roll)),
        half_view=_VIEW[site] * wide * rng.uniform(0.92, 1.08),
        light_x=rng.uniform(-0.12, 0.12),
        light_y=rng.uniform(-0.12, 0.12),
        falloff=rng.uniform(1.3, 1.7),
        ambient=rng.uniform(0.04, 0.09),
    )
