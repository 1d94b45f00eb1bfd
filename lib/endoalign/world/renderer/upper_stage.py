"""A view of a gastroscopy made concrete: wall, findings, endoscope, surfaces and exposure."""

from typing import Final

import numpy as np

from endoalign.vocabulary import REGIONS
from endoalign.world.renderer.anatomy import patient_tone
from endoalign.world.renderer.lens import rotation_towards
from endoalign.world.renderer.placement import NO_TOOL
from endoalign.world.renderer.processors import Processor
from endoalign.world.renderer.scene import Camera, FloatArray, Mucosa, Tool, Wall
from endoalign.world.renderer.stage import Stage, exposure_of, instrument, soiled
from endoalign.world.renderer.upper_anatomy import (
    build_upper_mucosa,
    build_upper_wall,
    place_of,
)
from endoalign.world.renderer.upper_pose import (
    landmark,
    place_findings,
    press,
    stand,
    stand_before_finding,
)
from endoalign.world.renderer.upper_shapes import SCOPE_RADIUS
from endoalign.world.renderer.upper_view import UpperView

_UP = np.array([0.0, 1.0, 0.0])
_SHAFT: Final = (0.018, 0.018, 0.022)
_POOL_SHARE: Final = {"fundus": 0.75, "body": 0.4, "cardia": 0.15, "antrum": 0.1}
"""Share of a patient's pictures of a region that show the lake of gastric juice."""


def _shaft(region: str, wall: Wall, camera: Camera, away: FloatArray, share: float) -> Tool:
    """The endoscope's own shaft, seen in retroflexion; it passes on the side of ``away``."""
    if region == "cardia":
        start = landmark(region, wall) + np.array([0.0, 0.0, 0.8])
    elif region == "angularis" and share < 0.35:
        start = np.array([0.8 * away[0], wall.form[0]["hole_y"] + 1.7, 9.5])
        away = np.array([0.6 * away[0], 0.9])
    else:
        return NO_TOOL
    end = np.array([camera.x, camera.y, camera.z - 1.2]) + np.array([*(2.1 * away), 0.0])
    ax, ay, az = start
    bx, by, bz = end
    red, green, blue = _SHAFT
    return Tool(ax, ay, az, bx, by, bz, SCOPE_RADIUS, red, green, blue)


def _stained(view: UpperView, wall: Wall, mucosa: Mucosa, camera: Camera, place: int) -> Mucosa:
    """The lake of gastric juice where it lies in sight, greenish yellow with bile."""
    rng = np.random.default_rng([view.patient_seed & 0xFFFFFFFF, place, 0xF1D])
    bile = view.shows("bile")
    if rng.random() >= (0.8 if bile else _POOL_SHARE.get(view.region, 0.0)):
        return mucosa
    level = -wall.radius * rng.uniform(0.4, 0.7)
    red, green, blue = (0.42, 0.36, 0.03) if bile else (0.4, 0.35, 0.2)
    return mucosa._replace(
        fluid=min(level, camera.y - 0.5), fluid_red=red, fluid_green=green, fluid_blue=blue
    )


def _marked(view: UpperView, wall: Wall, tone: FloatArray, place: int) -> Wall:
    """The wall in the state that the view's spread findings mean."""
    rng = np.random.default_rng([view.patient_seed & 0xFFFFFFFF, place, 0x5EA])
    atrophy, bile, columns = rng.uniform(0.5, 1.0), rng.uniform(0.4, 0.8), rng.integers(3, 5)
    form = wall.form.copy()
    form["atrophy"] = atrophy if view.shows("atrophy") else 0.0
    form["bile"] = bile if view.shows("bile") else 0.0
    form["varices"] = columns if view.shows("varices") else 0.0
    form["gastric_red"], form["gastric_green"], form["gastric_blue"] = tone * (1.0, 0.85, 0.75)
    return wall._replace(form=form)


def set_upper_stage(view: UpperView, processor: Processor) -> tuple[Stage, tuple[int, ...]]:
    """Build the scene of a view, and for each record the index of its local finding.

    Deterministic from the view's, patient's and findings' seeds.
    """
    index = REGIONS.index(place_of(view.region))
    patient = np.random.default_rng([view.patient_seed & 0xFFFFFFFF, 0xA11])
    place = np.random.default_rng([view.patient_seed & 0xFFFFFFFF, index, 0xB22])
    rng = np.random.default_rng([view.seed & 0xFFFFFFFF, 0xC33])
    tone = patient_tone(patient)
    wall = _marked(view, build_upper_wall(view.region, place), tone, index)
    mucosa = build_upper_mucosa(view.region, tone, place)
    local = view.local
    records, owners = place_findings(view.region, wall, local)
    half_view = processor.half_view * rng.uniform(0.95, 1.05)
    if view.framing == "none":
        point, forward = stand(view.region, wall, rng)
    else:
        point, forward = stand_before_finding(
            view.region, wall, records, view.framing, half_view, rng
        )
    if view.distractor == "wall_contact":
        point = press(wall, point, forward)
    x, y, z = point
    rolled = view.region in {"cardia", "fundus"}
    camera = Camera(
        x=x,
        y=y,
        z=z,
        rotation=rotation_towards(forward, _UP, rng.normal(0, 1.2 if rolled else 0.25)),
        half_view=half_view,
        distortion=rng.uniform(0.0, 0.08),
        light_offset=rng.uniform(0.2, 0.4),
        light_balance=rng.uniform(0.7, 1.3),
        falloff=rng.uniform(1.5, 2.0),
    )
    turn, share = rng.uniform(0, 2 * np.pi), rng.random()
    away = np.array([np.cos(turn), np.sin(turn)])
    if len(records):
        side = np.array([records[0]["x"], records[0]["y"]]) - landmark(view.region, wall)[:2]
        away = -side / (np.linalg.norm(side) + 1e-9)
    tool = _shaft(view.region, wall, camera, away, share)
    if view.distractor == "instrument" and tool is NO_TOOL:
        tool = instrument(camera, rng)
    mucosa = _stained(view, wall, mucosa, camera, index)
    mucosa = soiled(view.distractor, mucosa, wall, camera, rng)
    exposure, defocus, motion = exposure_of(view.distractor, rng)
    return Stage(wall, records, tool, mucosa, camera, exposure, defocus, motion), owners
