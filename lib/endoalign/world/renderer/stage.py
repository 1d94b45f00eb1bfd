"""A view made concrete: wall, lesions, camera, instrument, surfaces and exposure."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from endoalign.vocabulary import REGIONS
from endoalign.world.renderer.anatomy import build_mucosa, build_wall, patient_tone
from endoalign.world.renderer.colitis import inflamed
from endoalign.world.renderer.distance import axis_at
from endoalign.world.renderer.lens import rotation_towards
from endoalign.world.renderer.placement import NO_TOOL
from endoalign.world.renderer.pose import place_lesions, pose_in_lumen, pose_on_lesion
from endoalign.world.renderer.processors import Processor
from endoalign.world.renderer.scene import Camera, Mucosa, Tool, Wall
from endoalign.world.renderer.view import View

_UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True)
class Stage:
    """Everything the renderer and the camera chain need for one frame."""

    wall: Wall
    lesions: Any
    tool: Tool
    mucosa: Mucosa
    camera: Camera
    exposure: float
    defocus: float
    motion: tuple[float, float]


_TOOL_COLOURS = ((0.5, 0.5, 0.48), (0.1, 0.22, 0.45), (0.2, 0.2, 0.22), (0.08, 0.3, 0.24))


def instrument(camera: Camera, rng: np.random.Generator) -> Tool:
    """A catheter from the working channel, at the lower edge of the frame, into the scene."""
    right, up, forward = camera.rotation
    tip = np.array([camera.x, camera.y, camera.z])
    side = rng.uniform(-0.25, 0.45)
    start = tip + side * right - 0.3 * up - 0.1 * forward
    end = tip + 0.6 * side * right + rng.uniform(-0.3, 0.0) * up + rng.uniform(0.9, 2.2) * forward
    red, green, blue = _TOOL_COLOURS[rng.integers(len(_TOOL_COLOURS))]
    ax, ay, az = start
    bx, by, bz = end
    return Tool(ax, ay, az, bx, by, bz, rng.uniform(0.07, 0.12), red, green, blue)


def soiled(
    distractor: str | None, mucosa: Mucosa, wall: Wall, camera: Camera, rng: np.random.Generator
) -> Mucosa:
    """The wall under the distractor, where that lies on it: stool, or a pool of fluid."""
    if distractor == "stool":
        green = rng.uniform(0.24, 0.37)
        return mucosa._replace(
            stool=rng.uniform(0.65, 0.95), soil_red=0.45, soil_green=green, soil_blue=0.07
        )
    if distractor == "fluid":
        level = axis_at(wall, camera.z + 2.0)[1] - wall.radius * rng.uniform(0.1, 0.45)
        red = rng.uniform(0.15, 0.4)
        green = red * rng.uniform(0.55, 0.9)
        return mucosa._replace(
            fluid=min(level, camera.y - 0.6),
            fluid_red=red,
            fluid_green=green,
            fluid_blue=green * rng.uniform(0.1, 0.6),
        )
    return mucosa


def exposure_of(
    distractor: str | None, rng: np.random.Generator
) -> tuple[float, float, tuple[float, float]]:
    """Light of the bright parts, defocus and motion (shares of the height) of one picture."""
    exposure, defocus, motion = rng.uniform(0.38, 0.85), 0.0, (0.0, 0.0)
    if distractor == "overexposure":
        exposure = rng.uniform(2.8, 5.0)
    elif distractor == "blur":
        defocus = rng.uniform(0.015, 0.03)
    elif distractor == "wall_contact":
        defocus, exposure = rng.uniform(0.02, 0.05), rng.uniform(1.2, 2.2)
    elif distractor == "motion_blur":
        length, turn = rng.uniform(0.06, 0.14), rng.uniform(0, np.pi)
        motion = (float(length * np.cos(turn)), float(length * np.sin(turn)))
    return exposure, defocus, motion


def set_stage(view: View, processor: Processor) -> Stage:
    """Build the scene of a view; deterministic from the view's, patient's and lesions' seeds."""
    region = REGIONS.index(view.region) if view.region in REGIONS else 0
    patient = np.random.default_rng([view.patient_seed & 0xFFFFFFFF, 0xA11])
    place = np.random.default_rng([view.patient_seed & 0xFFFFFFFF, region, 0xB22])
    rng = np.random.default_rng([view.seed & 0xFFFFFFFF, 0xC33])
    tone = patient_tone(patient)
    wall = build_wall(view.region, place)
    mucosa = build_mucosa(view.region, tone, wall, place)
    if view.colitis is not None:
        own = np.random.default_rng([view.patient_seed & 0xFFFFFFFF, region, 0xC0117])
        wall, mucosa = inflamed(wall, mucosa, view.colitis, own)
    lesions = place_lesions(view, wall)
    half_view = processor.half_view * rng.uniform(0.95, 1.05)
    if view.framing == "none" or view.distractor == "wall_contact":
        point, forward = pose_in_lumen(wall, view.distractor == "wall_contact", rng)
    else:
        point, forward, wall = pose_on_lesion(view, wall, lesions, half_view, rng)
    x, y, z = point
    camera = Camera(
        x=x,
        y=y,
        z=z,
        rotation=rotation_towards(forward, _UP, rng.normal(0, 0.3)),
        half_view=half_view,
        distortion=rng.uniform(0.0, 0.08),
        light_offset=rng.uniform(0.2, 0.4),
        light_balance=rng.uniform(0.7, 1.3),
        falloff=rng.uniform(1.5, 2.0),
    )
    tool = instrument(camera, rng) if view.distractor == "instrument" else NO_TOOL
    mucosa = soiled(view.distractor, mucosa, wall, camera, rng)
    exposure, defocus, motion = exposure_of(view.distractor, rng)
    return Stage(wall, lesions, tool, mucosa, camera, exposure, defocus, motion)
