"""Where the lesions sit on the wall and where the camera stands to see them.

Candidate poses are drawn and judged by compiled ray casts: clearance from every surface and the
share of the lesion in plain sight.
"""

from typing import Any

import numpy as np

from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.distance import axis_at, scene_distance, wall_distance
from endoalign.world.renderer.scene import FloatArray, Tool, Wall

NO_TOOL = Tool(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@compiled
def wall_point(wall: Wall, angle: float, z: float) -> tuple[float, float, float]:
    """Point of the bare wall met from the axis at ``z`` in the direction of ``angle``."""
    cx, cy, _ = axis_at(wall, z)
    dx, dy = np.cos(angle), np.sin(angle)
    t = 0.0
    for _ in range(80):
        d = wall_distance(wall, cx + t * dx, cy + t * dy, z)
        if d < 1e-3:
            break
        t += 0.7 * d
    return cx + t * dx, cy + t * dy, z


@compiled
def wall_normal(wall: Wall, x: float, y: float, z: float, eps: float) -> FloatArray:
    """Unit normal of the bare wall, smoothed over ``eps`` cm."""
    n = np.empty(3)
    n[0] = wall_distance(wall, x + eps, y, z) - wall_distance(wall, x - eps, y, z)
    n[1] = wall_distance(wall, x, y + eps, z) - wall_distance(wall, x, y - eps, z)
    n[2] = wall_distance(wall, x, y, z + eps) - wall_distance(wall, x, y, z - eps)
    return n / (np.sqrt((n * n).sum()) + 1e-9)


def place_lesion(record: Any, wall: Wall, angle: float, z: float, turn: float) -> None:
    """Set a lesion's base point and axes on the wall, in place; ``turn`` spins it in its plane."""
    x, y, z = wall_point(wall, angle, z)
    normal = wall_normal(wall, x, y, z, 0.15 + 0.3 * float(record["radius"]))
    side = np.cross(normal, (np.cos(turn), 0.3, np.sin(turn)))
    side /= np.linalg.norm(side)
    other = np.cross(normal, side)
    record["x"], record["y"], record["z"] = x, y, z
    for row, axis in zip("uvw", (side, other, normal), strict=True):
        for letter, value in zip("xyz", axis, strict=True):
            record[f"{row}{letter}"] = value


def head_centre(record: Any) -> FloatArray:
    """Middle of the lesion's visible body in the scene."""
    lift = float(record["rise"]) + 0.35 * float(record["height"])
    base = np.array([record["x"], record["y"], record["z"]], float)
    axes = [np.array([record[f"{row}{letter}"] for letter in "xyz"], float) for row in "uvw"]
    lean_u, lean_v = float(record["lean_u"]), float(record["lean_v"])
    return np.asarray(base + lift * axes[2] + lean_u * axes[0] + lean_v * axes[1])


@compiled
def clearance(wall: Wall, lesions: FloatArray, tool: Tool, p: FloatArray) -> float:
    """Free radius around a point (cm)."""
    return scene_distance(wall, lesions, tool, p[0], p[1], p[2])


@compiled
def sight(wall: Wall, lesions: FloatArray, tool: Tool, p: FloatArray, q: FloatArray) -> float:
    """Share of the way from ``p`` to ``q`` that a ray goes before it meets a surface."""
    d = q - p
    length = np.sqrt((d * d).sum())
    d = d / length
    t = 0.02
    for _ in range(80):
        s = scene_distance(wall, lesions, tool, p[0] + t * d[0], p[1] + t * d[1], p[2] + t * d[2])
        if s < 2e-3:
            break
        t += 0.8 * s
        if t >= length:
            return 1.0
    return t / length


def stand_before(
    wall: Wall,
    lesions: Any,
    target: FloatArray,
    normal: FloatArray,
    reach: float,
    distance: float,
    rng: np.random.Generator,
) -> FloatArray:
    """Camera position about ``distance`` from ``target`` that sees it, clear of the walls.

    ``reach`` is the radius of the lesion. The camera comes from the side of the lumen it was
    pushed in from, so most views are oblique. The best of 24 candidates is kept.
    """
    best, best_score = (
        np.array([*axis_at(wall, target[2] - distance)[:2], target[2] - distance]),
        -9.0,
    )
    back = np.array([0.0, 0.0, -1.0])
    for trial in range(24):
        away = distance * (1.0 - 0.03 * trial)
        lift = rng.beta(3.0, 3.0)
        direction = lift * normal + (1.0 - lift) * back + rng.normal(0, 0.25, 3)
        if direction @ normal < 0.1:
            direction += (0.2 - direction @ normal) * normal
        point = target + away * direction / np.linalg.norm(direction)
        free = clearance(wall, lesions, NO_TOOL, point)
        if free < 0.12:
            continue
        seen = sight(wall, lesions, NO_TOOL, point, target)
        open_way = min(seen / max(1.0 - 1.3 * reach / away, 0.05), 1.0)
        score = open_way + min(free, 0.3) - abs(away / distance - 1.0)
        if score > best_score:
            best, best_score = point, score
        if score > 1.2:
            break
    return best


def look_beside(direction: FloatArray, angle: float, turn: float) -> FloatArray:
    """Unit direction at ``angle`` radians from ``direction``, on the side given by ``turn``."""
    direction = direction / np.linalg.norm(direction)
    side = np.cross(direction, (0.12, 0.9, 0.31))
    side /= np.linalg.norm(side)
    other = np.cross(direction, side)
    return np.asarray(
        np.cos(angle) * direction + np.sin(angle) * (np.cos(turn) * side + np.sin(turn) * other)
    )
