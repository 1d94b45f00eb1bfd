"""Signed distance to the wall of oesophagus and stomach (cm; positive in free space).

The lumen runs along +z, away from the camera. Shapes follow what the endoscopist meets: a tube
that closes in a rosette, a dome with the endoscope in its top, a tube with winding rugae, the
sickle of the incisura between two lumina, a smooth funnel that ends in the ring of the pylorus.
Steep shapes return less than the distance, so that no ray steps through them.
"""

import math
from typing import Any

from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.smooth import smooth_min
from endoalign.world.renderer.upper_esophagus import esophagus_distance
from endoalign.world.renderer.upper_form import ARCH, BODY, ESOPHAGUS, SAC
from endoalign.world.renderer.upper_section import bulge_at, section_at

_FREE = 0.25
"""Further than this (cm) from the highest possible relief, its form need not be computed."""


@compiled
def _rugae(form: Any, angle: float, wind: float) -> float:
    """Height of the longitudinal folds: broad backs, narrow furrows, low on one side."""
    back = abs(math.cos(0.5 * (form.folds * angle + form.fold_phase + form.fold_wind * wind)))
    facing = 0.5 + 0.5 * math.cos(angle - form.fold_side)
    height = form.fold_height * (1.0 - form.fold_one_sided * (1.0 - facing))
    return height * back * (2.0 - back)


@compiled
def _sac(wall: Any, form: Any, x: float, y: float, z: float) -> float:
    """A dome; around the endoscope that enters it lies the collar of the cardia."""
    wide = wall.radius * (1.0 + form.squash)
    k = math.sqrt((x / wide) ** 2 + (y / wall.radius) ** 2 + (z / form.depth) ** 2) + 1e-9
    slope = (
        math.sqrt((x / wide**2) ** 2 + (y / wall.radius**2) ** 2 + (z / form.depth**2) ** 2) / k
        + 1e-9
    )
    d = (1.0 - k) / slope
    relief = form.fold_height + 2.2 * form.lip + wall.undulation
    if d > relief + _FREE:
        return d - relief
    bulge = bulge_at(wall, x, y, z)
    u, v = x - form.hole_x, y - form.hole_y
    r = math.sqrt(u * u + v * v) + 1e-9
    angle = math.atan2(v, u)
    share = min(max((r - 0.9) / 1.6, 0.0), 1.0)
    if z < 0.4 * form.depth:
        share *= max(0.25, 1.0 + (z - 0.4 * form.depth) / form.depth)
    d += wall.undulation * bulge - share * _rugae(form, angle, math.sin(0.9 * r) + 1.6 * bulge)
    if form.lip > 0.0:
        ring = r - form.hole - 0.8 * form.lip
        top = z - form.end
        thick = form.lip * (1.0 + 0.35 * math.cos(angle - form.fold_side))
        thick += form.pleat_height * math.cos(form.pleats * angle + form.fold_phase)
        d = smooth_min(d, math.sqrt(ring * ring + top * top) - thick, 0.55)
        radial = math.cos(form.pleats * angle + form.fold_phase) * math.exp(-0.8 * r)
        d -= form.pleat_height * radial
    return 0.7 * d


@compiled
def _body(wall: Any, form: Any, x: float, y: float, z: float) -> float:
    r = math.sqrt(x * x + y * y) + 1e-9
    relief = form.fold_height + wall.undulation
    d = smooth_min(wall.radius * (1.0 - form.squash) - r, form.end - z, 2.5)
    if d > relief + _FREE:
        return d - relief
    angle = math.atan2(y, x)
    bulge = bulge_at(wall, x, y, z)
    d = smooth_min(section_at(wall, form, angle) - r, form.end - z, 2.5)
    wind = math.sin(0.8 * z + form.fold_phase) + 0.5 * math.sin(1.9 * z) + 1.5 * bulge
    return 0.58 * (d + wall.undulation * bulge - _rugae(form, angle, wind))


@compiled
def _arch(wall: Any, form: Any, x: float, y: float, z: float) -> float:
    """Two lumina, body and antrum, with the incisura between them: a sickle-shaped ridge."""
    r = math.sqrt(x * x + y * y) + 1e-9
    d = smooth_min(wall.radius - r, form.end - z, 2.0)
    beyond = z - form.ridge_z + form.ridge_bow * x * x
    thick = form.ridge + 0.16 * max(beyond, 0.0)
    across = y - form.hole_y + 0.05 * x * x
    ahead = max(-beyond, 0.0)
    ridge = (
        math.sqrt(across * across + ahead * ahead / (1.0 + 0.4 * x * x * form.ridge_bow)) - thick
    )
    relief = form.fold_height + wall.undulation
    if min(d, ridge) > relief + 0.45:
        return 0.72 * (min(d, ridge) - relief - 0.2)
    bulge = bulge_at(wall, x, y, z)
    d += wall.undulation * bulge
    if y > form.hole_y and d < form.fold_height + _FREE:
        angle = math.atan2(y, x)
        d -= _rugae(form, angle, math.sin(0.8 * z) + bulge) * min(1.0, (y - form.hole_y) * 0.8)
    return 0.72 * smooth_min(d, ridge + 0.5 * wall.undulation * bulge, 0.9)


@compiled
def _antrum(wall: Any, form: Any, x: float, y: float, z: float) -> float:
    """A funnel that ends in the ring of the pylorus, with the bulb of the duodenum behind it."""
    r = math.sqrt(x * x + y * y) + 1e-9
    angle = math.atan2(y, x)
    before = form.end - z
    section = section_at(wall, form, angle) - 0.32 * max(3.5 - before, 0.0)
    wave = (z - form.ridge_z) / 0.55
    section -= form.ridge * math.exp(-wave * wave) * (1.0 + 0.3 * math.cos(angle - form.fold_side))
    d = smooth_min(section - r, before, 2.0)
    if before > 2.5 and d > wall.undulation + _FREE:
        return 0.8 * (d - wall.undulation)
    d += wall.undulation * bulge_at(wall, x, y, z)
    u, v = x - form.hole_x, y - form.hole_y
    rho = math.sqrt(u * u + v * v) + 1e-9
    if before > 2.5:
        return 0.68 * d
    turn = math.atan2(v, u)
    pleat = math.cos(form.pleats * turn + form.fold_phase)
    ring = rho - form.hole - form.lip
    lip = form.lip * (1.0 + 0.25 * math.cos(turn - form.fold_side)) + form.pleat_height * pleat
    d = smooth_min(d, math.sqrt(ring * ring + before * before) - lip, 0.7)
    d -= form.pleat_height * pleat * math.exp(-(((rho - form.hole) / 0.8) ** 2))
    channel = min(form.hole * (1.0 + 0.03 * pleat) - rho, 1.4 - before, before + 1.4)
    bx, by, bz = u, v, z - form.end - 1.9
    bulb = 1.5 - math.sqrt(bx * bx + by * by + bz * bz)
    return 0.68 * max(d, channel, bulb)


@compiled
def upper_distance(wall: Any, x: float, y: float, z: float) -> float:
    """Distance to the wall of an upper region other than the duodenum."""
    form = wall.form[0]
    if wall.organ == ESOPHAGUS:
        return esophagus_distance(wall, form, x, y, z)
    if wall.organ == SAC:
        return _sac(wall, form, x, y, z)
    if wall.organ == BODY:
        return _body(wall, form, x, y, z)
    if wall.organ == ARCH:
        return _arch(wall, form, x, y, z)
    return _antrum(wall, form, x, y, z)
