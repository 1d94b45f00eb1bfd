"""One ENT picture: what is asked for, and the pixels that show it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from endoalign.world.ent.classes import check_findings, side_of, site_of
from endoalign.world.ent.devices import DEVICES
from endoalign.world.ent.ear import sample_ear
from endoalign.world.ent.larynx import sample_larynx
from endoalign.world.ent.nose import sample_nose
from endoalign.world.ent.sight import sample_sight
from endoalign.world.ent.throat import sample_throat
from endoalign.world.ent.trace import Scene, trace_scene
from endoalign.world.renderer.camera_chain import develop
from endoalign.world.renderer.content_area import content_area
from endoalign.world.renderer.overlays import draw_text

MIN_HEIGHT, MAX_HEIGHT = 32, 1080
TEXT_SHARE = 0.3
"""Share of the pictures of a device with burnt-in text that carry it."""
_TEXT_SCALE = 0.035


@dataclass(frozen=True)
class EntView:
    """What one picture shows.

    Attributes:
        ent_class: one of `vocabulary.ENT_CLASSES`; its side is the patient's.
        findings: names of `classes.FINDINGS` of its site.
        severity: 0 (slight) to 1 (marked).
        device: one of `devices.DEVICES`.
        anatomy_seed: the organ; the same in all pictures of it.
        view_seed: pose, exposure, blur, noise.
    """

    ent_class: str
    findings: tuple[str, ...]
    severity: float
    device: str
    anatomy_seed: int
    view_seed: int


def render_ent(view: EntView, height: int) -> npt.NDArray[np.uint8]:
    """Picture (height, 4/3 height, 3) uint8 of a view; the same arguments give the same bytes.

    ``ValueError`` for an unknown class, finding or device, a severity outside 0 to 1, or a height
    outside 32 to 1080.
    """
    _check(view, height)
    device = DEVICES[view.device]
    rng = np.random.default_rng([view.view_seed & 0xFFFFFFFF, 0xE27])
    content = content_area(device, height)
    radiance = radiance_of(view, content)
    target = float(np.clip(rng.normal(0.8, 0.14), 0.4, 1.5))
    defocus = 0.012 * rng.random() if rng.random() < 0.25 else 0.0
    motion = (0.0, 0.0)
    if rng.random() < 0.15:
        motion = (0.04 * rng.normal(), 0.04 * rng.normal())
    picture = develop(radiance, content, device, rng, target, defocus, motion)
    if device.shape == "round":
        picture = _off_centre(picture, rng)
    if device.text is not None and rng.random() < TEXT_SHARE:
        picture = draw_text(picture, device.text, _TEXT_SCALE, rng)
    return picture


def radiance_of(view: EntView, content: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
    """Linear light (H, W, 3) of a view before its device; 0 outside ``content`` (H, W).

    Two views that differ in the side alone give exact mirror images where ``content`` is
    symmetric: only right organs are modelled, and the left ones are their reflection.
    """
    site = site_of(view.ent_class)
    rng = np.random.default_rng([view.view_seed & 0xFFFFFFFF, 0xB05E])
    sight = sample_sight(site, rng, wide=DEVICES[view.device].half_view)
    scene = _scene(view, site)
    if side_of(view.ent_class) != "left":
        return trace_scene(scene, sight, content)
    flipped = trace_scene(scene, sight, np.ascontiguousarray(content[:, ::-1]))
    return np.ascontiguousarray(flipped[:, ::-1])


def _scene(view: EntView, site: str) -> Scene:
    rng = np.random.default_rng([view.anatomy_seed & 0xFFFFFFFF, 0xA7A])
    if site == "nose":
        return sample_nose(rng, view.findings, view.severity)
    if site == "ear":
        return sample_ear(rng, view.findings, view.severity)
    if site == "throat":
        return sample_throat(rng, view.findings, view.severity)
    is_open = view.ent_class == "vc-open"
    return sample_larynx(rng, view.findings, view.severity, is_open=is_open)


def _off_centre(picture: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """The picture moved a little on its black ground, as a camera sits on an eyepiece."""
    height = picture.shape[0]
    down, right = (round(height * rng.uniform(-0.03, 0.03)) for _ in range(2))
    moved = np.roll(picture, (down, right), axis=(0, 1))
    rows = slice(0, down) if down >= 0 else slice(down, None)
    columns = slice(0, right) if right >= 0 else slice(right, None)
    moved[rows] = 0
    moved[:, columns] = 0
    return moved


def _check(view: EntView, height: int) -> None:
    check_findings(view.ent_class, view.findings)
    if view.device not in DEVICES:
        raise ValueError(f"unknown device {view.device!r}; known: {', '.join(DEVICES)}")
    if not 0.0 <= view.severity <= 1.0:
        raise ValueError(f"severity {view.severity} must lie in 0 to 1")
    if not MIN_HEIGHT <= height <= MAX_HEIGHT:
        raise ValueError(f"height {height} px must lie in {MIN_HEIGHT} to {MAX_HEIGHT}")
