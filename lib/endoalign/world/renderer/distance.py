"""Signed distance from a point of the lumen to the nearest surface (cm; positive in free space).

Coarse on purpose: what only the light sees (relief, grains, vessels) is added at the hit.
Smooth unions use the quadratic polynomial blend; an ellipsoid uses the usual gradient-scaled bound.
"""

import math

from endoalign.world.renderer.compiled import compiled, inlined
from endoalign.world.renderer.lesion_distance import lesion_distance
from endoalign.world.renderer.noise import value_noise
from endoalign.world.renderer.scene import FloatArray, Tool, Wall
from endoalign.world.renderer.smooth import smooth_min
from endoalign.world.renderer.upper_distance import upper_distance
from endoalign.world.renderer.upper_form import ESOPHAGUS


@inlined
def axis_at(wall: Wall, z: float) -> tuple[float, float, float]:
    """Axis of the lumen at height ``z``: x, y and its slope towards the side of the bend."""
    lever = z - wall.bend_at
    arm = math.sqrt(lever * lever + wall.bend_round * wall.bend_round)
    start = math.sqrt(wall.bend_at * wall.bend_at + wall.bend_round * wall.bend_round)
    shift = wall.bend * (arm - start)
    return shift * wall.bend_x, shift * wall.bend_y, wall.bend * lever / arm


@inlined
def _fold(
    folds: FloatArray,
    i: int,
    t: float,
    r: float,
    cos: float,
    sin: float,
    section: float,
    depth: float,
    blend: float,
) -> float:
    """Distance to one fold: a plate that rises from the wall and ends in a rounded edge."""
    facing = cos * folds[i, 3] + sin * folds[i, 4]
    height = folds[i, 1] * depth * (1.0 - folds[i, 5] * (0.5 - 0.5 * facing) * 1.25)
    rise = min(height * 4.0, 1.0)  # a fold that runs out leaves no step
    thickness = folds[i, 2] * rise
    across = t - folds[i, 0] - folds[i, 6] * (cos * folds[i, 4] - sin * folds[i, 3])
    inward = r - (section - height)
    if height < 0.02:
        return 9.0
    if inward < 0.0:
        return math.sqrt(across * across + inward * inward) - thickness + (1.0 - rise) * blend
    return abs(across) - thickness * (1.0 + 0.5 * min(inward / height, 1.5)) + (1.0 - rise) * blend


@inlined
def _colon(wall: Wall, x: float, y: float, z: float) -> float:
    cx, cy, slope = axis_at(wall, z)
    qx, qy = x - cx, y - cy
    along = qx * wall.bend_x + qy * wall.bend_y
    stretch = 1.0 / (1.0 + slope * slope)
    t = z + slope * along * stretch
    squeeze = along * (1.0 - math.sqrt(stretch))
    qx -= wall.bend_x * squeeze
    qy -= wall.bend_y * squeeze
    r = math.sqrt(qx * qx + qy * qy) + 1e-9
    cos, sin = qx / r, qy / r
    cos3 = cos * (4.0 * cos * cos - 3.0)
    sin3 = sin * (3.0 - 4.0 * sin * sin)
    corner = cos3 * wall.triangle_cos + sin3 * wall.triangle_sin
    corner += 0.22 * (2.0 * corner * corner - 1.0)
    section = wall.radius * (1.0 + wall.triangle * corner)
    rate = wall.undulation_rate
    bulge = value_noise(
        (x * rate + wall.offset_x, y * rate + wall.offset_y, z * rate + wall.offset_z)
    )
    d = section - r + wall.undulation * bulge
    if wall.end < 50.0:
        d = smooth_min(d, wall.end - t, 1.6)
    nearest = math.floor((t - wall.fold_first) / wall.fold_spacing + 0.5)
    t += 0.3 * bulge
    depth = (1.0 - 1.2 * wall.triangle * corner) * (1.0 + 0.45 * bulge)
    reach = d + wall.fold_blend + 1.0
    for i in range(nearest - 1, nearest + 2):
        if 0 <= i < wall.folds.shape[0] and abs(t - wall.folds[i, 0]) < reach:
            fold = _fold(wall.folds, i, t, r, cos, sin, section, depth, wall.fold_blend)
            d = smooth_min(d, fold, wall.fold_blend)
    if wall.valve > 0.0 and abs(t - wall.valve_z) < 3.0 * wall.valve + 0.5:
        d = _valve(wall, d, qx, qy, t, section)
    if wall.orifice > 0.0 and t > wall.end - 2.0:
        d = _orifice(wall, d, qx, qy, t)
    return d


@compiled
def _valve(wall: Wall, d: float, qx: float, qy: float, t: float, section: float) -> float:
    """The ileocaecal valve: two fat lips with a slit between them."""
    inward = section - (qx * wall.valve_x + qy * wall.valve_y)
    across = -qx * wall.valve_y + qy * wall.valve_x
    along = t - wall.valve_z
    size = wall.valve
    gape = abs(along) - 0.28 * size
    lip = math.sqrt(0.25 * across * across + gape * gape + (inward * 0.8) ** 2) - 0.42 * size
    d = smooth_min(d, lip * 0.8, 0.35 * size)
    slit = max(abs(along) - 0.06 * size, abs(across) - 0.55 * size)
    return max(d, -max(slit, inward - 0.9 * size))


@compiled
def _orifice(wall: Wall, d: float, qx: float, qy: float, t: float) -> float:
    """The appendiceal orifice: a crescent fold around a small dark slit in the caecal pole."""
    x, y = qx - wall.orifice_x, qy - wall.orifice_y
    size = wall.orifice
    r = math.sqrt(x * x + y * y) + 1e-9
    ring = r - 1.7 * size
    depth = t - wall.end + 0.1
    lip = math.sqrt(ring * ring + depth * depth) - 0.22 * size * (1.3 + x / r)
    d = smooth_min(d, lip, 0.5 * size)
    bow = y - 0.5 * x * x / size
    hole = math.sqrt(max(abs(x) - 0.6 * size, 0.0) ** 2 + bow * bow) - 0.3 * size
    return max(d, -max(hole, -(depth + 1.5)))


@inlined
def wall_distance(wall: Wall, x: float, y: float, z: float) -> float:
    """Distance to the organ's wall with its folds."""
    if wall.organ >= ESOPHAGUS:
        return upper_distance(wall, x, y, z)
    return _colon(wall, x, y, z)


@inlined
def tool_distance(tool: Tool, x: float, y: float, z: float) -> float:
    """Distance to the instrument, large where there is none."""
    if tool.radius <= 0.0:
        return 99.0
    bx, by, bz = tool.bx - tool.ax, tool.by - tool.ay, tool.bz - tool.az
    px, py, pz = x - tool.ax, y - tool.ay, z - tool.az
    h = (px * bx + py * by + pz * bz) / (bx * bx + by * by + bz * bz)
    h = min(max(h, 0.0), 1.0)
    px, py, pz = px - h * bx, py - h * by, pz - h * bz
    return math.sqrt(px * px + py * py + pz * pz) - tool.radius


@compiled
def scene_distance(
    wall: Wall, lesions: FloatArray, tool: Tool, x: float, y: float, z: float
) -> float:
    """Distance to wall, lesions (records of `LESION_DTYPE`) and instrument together."""
    bare = wall_distance(wall, x, y, z)
    d = bare
    for i in range(lesions.shape[0]):
        lesion = lesions[i]
        near, _ = lesion_distance(lesion, bare, x, y, z)
        d = min(d, near) if lesion.plateau > 0.5 else smooth_min(d, near, lesion.blend)
    return min(d, tool_distance(tool, x, y, z))
