"""Where the tip of the endoscope goes in a clip: along the lumen, to a spot of the wall, round it.

Positions and directions are smooth in time: slow sways of the hand, a fine tremor, and no step
through a fold. The camera keeps its own upright from frame to frame, so it never flips.
"""

from typing import Any, Final

import numpy as np

from endoalign.world.renderer.camera_path_motion import nearness, smoothed, sway
from endoalign.world.renderer.distance import axis_at
from endoalign.world.renderer.lens import rotation_towards
from endoalign.world.renderer.placement import NO_TOOL, clearance
from endoalign.world.renderer.scene import Camera, FloatArray, Wall

LEAST_CLEARANCE: Final = 0.15
"""Free radius around the tip, cm."""
_UP: Final = np.array([0.0, 1.0, 0.0])
_SWAY_HZ, _TREMOR_HZ = (0.08, 0.35), (1.5, 3.0)


def camera_path(
    wall: Wall,
    lesions: Any,
    key: Camera,
    spot: FloatArray,
    move: str,
    times: FloatArray,
    rng: np.random.Generator,
) -> tuple[Camera, ...]:
    """The camera at each of ``times`` (seconds, rising from 0).

    Args:
        key: the camera in its best place before the spot; lens and lights stay as they are.
        spot: what is looked at near the spot, (3,) cm.
        move: one of `MOVES`.

    Raises:
        ValueError: no times, or an unknown move.
    """
    if len(times) == 0:
        raise ValueError("times is empty; a clip needs at least one frame")
    near = nearness(move, times, rng)[:, None]
    before = np.array([key.x, key.y, key.z])
    away = float(np.linalg.norm(spot - before))
    back = rng.uniform(1.5, 3.5)
    lumen = _along_lumen(wall, key.z - back * (1.0 - near[:, 0]), times, rng)
    round_spot = before + sway(times, 0.1 * away, _SWAY_HZ, rng)
    points = _clear_of_walls(wall, lesions, lumen + near * (round_spot - lumen), times)
    look_at = spot + sway(times, 0.1 * away, _SWAY_HZ, rng)
    towards = near * _unit(look_at - points) + (1.0 - near) * _down_lumen(wall, points)
    towards = towards + sway(times, 0.06, _SWAY_HZ, rng) + sway(times, 0.003, _TREMOR_HZ, rng)
    forward = _unit(smoothed(_unit(towards), times, 0.12))
    roll = 0.15 * sway(times, 1.0, _SWAY_HZ, rng)[:, 0]
    turns = _upright(forward, roll + rng.normal(0, 0.3))
    return tuple(
        key._replace(x=p[0], y=p[1], z=p[2], rotation=turn)
        for p, turn in zip(points.tolist(), turns, strict=True)
    )


def _unit(vectors: FloatArray) -> FloatArray:
    return np.asarray(vectors / (np.linalg.norm(vectors, axis=-1, keepdims=True) + 1e-12))


def _along_lumen(
    wall: Wall, heights: FloatArray, times: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """Points (n, 3) near the axis at the given heights, off it by a slow wander."""
    points = np.array([(*axis_at(wall, z)[:2], z) for z in heights])
    off = sway(times, 0.12 * wall.radius, _SWAY_HZ, rng)
    off[:, 2] *= 0.3
    return np.asarray(points + off)


def _down_lumen(wall: Wall, points: FloatArray) -> FloatArray:
    """Unit directions (n, 3) from each point to the axis a little further on."""
    ahead = np.array([(*axis_at(wall, z + 1.8)[:2], z + 1.8) for z in points[:, 2]])
    return _unit(ahead - points)


def _clear_of_walls(wall: Wall, lesions: Any, points: FloatArray, times: FloatArray) -> FloatArray:
    """Points pushed away from every surface to `LEAST_CLEARANCE`, and smoothed between pushes."""
    for _ in range(4):
        pushed = np.array([_pushed(wall, lesions, point) for point in points])
        points = smoothed(pushed, times, 0.1)
    return np.array([_pushed(wall, lesions, point) for point in points])


def _pushed(wall: Wall, lesions: Any, point: FloatArray) -> FloatArray:
    """The point moved up the slope of the distance until it is clear of the surfaces."""
    point = point.copy()
    for _ in range(16):
        free = clearance(wall, lesions, NO_TOOL, point)
        if free >= LEAST_CLEARANCE:
            break
        steps = 0.05 * np.eye(3)
        slope = np.array([clearance(wall, lesions, NO_TOOL, point + step) - free for step in steps])
        point += (LEAST_CLEARANCE - free + 0.02) * slope / (np.linalg.norm(slope) + 1e-9)
    return point


def _upright(forward: FloatArray, roll: FloatArray) -> list[FloatArray]:
    """Rotations (right, up, forward) along directions (n, 3), turned as little as they can be.

    The first is upright; each next carries its upright over, then ``roll`` (n,) radians are added.
    """
    first = _UP if abs(forward[0, 1]) < 0.95 else np.array([0.0, 0.0, 1.0])
    up = rotation_towards(forward[0], first, 0.0)[1]
    turns = []
    for direction, angle in zip(forward, roll, strict=True):
        turns.append(rotation_towards(direction, up, float(angle)))
        up = rotation_towards(direction, up, 0.0)[1]
    return turns
