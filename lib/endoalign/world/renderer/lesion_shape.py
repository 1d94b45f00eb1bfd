"""From a `Lesion` of the truth to the numbers the renderer draws: shape, relief, colour.

The same lesion gives the same record in every frame: all chance comes from ``lesion.seed``.
Proportions follow the Paris classification: pedunculated (0-Ip) heads sit on a stalk, 0-Isp on a
short neck, sessile (0-Is) on a broad base, 0-IIa rises by less than its half width.
"""

import functools
from typing import Any

import numpy as np

from endoalign.vocabulary import DESCRIPTORS, LESION_COLOURS, PARIS_POLYPS
from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.lesion_distance import lesion_distance
from endoalign.world.renderer.lesion_surface import set_surface
from endoalign.world.renderer.scene import LESION_DTYPE, MAX_LOBES, FloatArray
from endoalign.world.truth import Lesion


def _check(lesion: Lesion) -> None:
    if lesion.paris not in PARIS_POLYPS:
        raise ValueError(
            f"lesion {lesion.lesion_id}: Paris type {lesion.paris!r} is not drawn; "
            f"use one of {', '.join(PARIS_POLYPS)}"
        )
    if lesion.colour not in LESION_COLOURS:
        raise ValueError(
            f"lesion {lesion.lesion_id}: colour {lesion.colour!r} is unknown; "
            f"use one of {', '.join(LESION_COLOURS)}"
        )
    unknown = sorted(set(lesion.descriptors) - set(DESCRIPTORS))
    if unknown:
        raise ValueError(
            f"lesion {lesion.lesion_id}: unknown descriptors {unknown}; "
            "see endoalign.vocabulary.DESCRIPTORS"
        )
    if not 0.05 <= lesion.size_cm <= 10.0:
        raise ValueError(
            f"lesion {lesion.lesion_id}: size_cm {lesion.size_cm} must lie in 0.05 to 10"
        )


def _directions(rng: np.random.Generator, count: int) -> FloatArray:
    """Unit vectors spread over the upper part of a head (rejection by mutual distance)."""
    chosen: list[FloatArray] = []
    for _ in range(200):
        vector = rng.normal(size=3)
        vector /= np.linalg.norm(vector)
        if vector[2] > -0.35 and all(vector @ other < 0.72 for other in chosen):
            chosen.append(vector)
        if len(chosen) == count:
            break
    return np.array(chosen)


def _set_form(record: Any, lesion: Lesion, rng: np.random.Generator) -> None:
    """Head, stalk and base of the Paris type, for a head of radius 1."""
    said = set(lesion.descriptors)
    share, low, tall, length, neck = rng.uniform(0.0, 1.0, 5)
    record["radius"], record["aspect"] = 1.0, rng.uniform(0.58, 1.0)
    side, slack = rng.uniform(0, 2 * np.pi), rng.uniform(0.0, 1.0)
    if lesion.paris == "0-IIa":
        record["plateau"], record["height"] = 1.0, 0.2 + 0.16 * tall
        return
    height = 0.38 + 0.1 * low if "flat" in said else 0.68 + 0.32 * tall
    record["height"] = height
    if lesion.paris == "0-Ip":
        rise = height + 0.5 + 1.1 * length
        stalk, lean = 0.24 + 0.12 * neck, (0.2 + 0.8 * slack) * rise
        stalk += 0.26 if "broad_base" in said else 0.0
    elif lesion.paris == "0-Isp":
        rise = height * (0.85 + 0.25 * length) * (1.25 if "narrow_base" in said else 1.0)
        stalk, lean = 0.48 + 0.1 * neck, 0.35 * slack
        stalk += 0.2 if "broad_base" in said else -0.16 if "narrow_base" in said else 0.0
    else:
        rise = height * (0.7 + 0.15 * share if "narrow_base" in said else 0.22 + 0.28 * share)
        stalk, lean = 0.0, 0.2 * slack
    record["rise"], record["stalk"], record["stalk_radius"] = rise, float(stalk > 0.0), stalk
    record["lean_u"], record["lean_v"] = lean * np.cos(side), lean * np.sin(side)


def _set_relief(record: Any, lesion: Lesion, rng: np.random.Generator) -> None:
    """Clefts, bumps, dips and the outline; drawn alike whatever the descriptors."""
    said = set(lesion.descriptors)
    counts = {"lobulated": int(rng.integers(4, MAX_LOBES + 1)), "nodular": int(rng.integers(5, 9))}
    plain = int(rng.integers(3, 6))  # no head is a perfect ellipsoid
    count = max((counts[name] for name in counts if name in said), default=plain)
    directions = _directions(rng, MAX_LOBES)[:count]
    heights = rng.uniform(0.35, 1.0, MAX_LOBES)
    record["lobe_count"] = len(directions)
    for i, direction in enumerate(directions):
        record["lobes"][i] = (*direction, heights[i])
    cleft, knob, lump = rng.uniform(0.26, 0.36), rng.uniform(0.3, 0.42), rng.uniform(0.02, 0.08)
    record["lobulation"] = cleft if "lobulated" in said else 0.0
    record["nodules"] = knob if "nodular" in said else 0.02 if "smooth" in said else lump
    dent, ulcer, depth = rng.uniform(0.36, 0.48), rng.uniform(0.45, 0.75), rng.uniform(0.12, 0.2)
    record["dent"] = dent if "central_depression" in said else 0.0
    record["ulcer"] = ulcer if "ulceration" in said else 0.0
    record["ulcer_depth"] = depth
    tilt, turn = rng.uniform(0.1, 0.5), rng.uniform(0, 2 * np.pi)
    record["ulcer_x"] = np.sin(tilt) * np.cos(turn)
    record["ulcer_y"] = np.sin(tilt) * np.sin(turn)
    record["ulcer_z"] = np.cos(tilt)
    uneven, even = rng.uniform(0.2, 0.28), rng.uniform(0.0, 0.04)
    size = uneven if "irregular_shape" in said else even
    for order, share in ((2, 0.6), (3, 1.0), (5, 0.45)):
        turn = rng.uniform(0, 2 * np.pi)
        record[f"c{order}"] = size * share * np.cos(turn)
        record[f"s{order}"] = size * share * np.sin(turn)


def _set_margin(record: Any, lesion: Lesion, rng: np.random.Generator) -> None:
    """Width over which shape (``blend``) and colour (``fade``) pass into the wall."""
    wide, usual = rng.uniform(0.65, 0.85), rng.uniform(0.2, 0.3)
    if "well_defined_margin" in lesion.descriptors:
        record["blend"], record["fade"] = 0.02, 0.01
    elif "ill_defined_margin" in lesion.descriptors:
        record["blend"], record["fade"] = wide, 0.9 * wide
    else:
        record["blend"], record["fade"] = usual, 0.5 * usual


@compiled
def _extent(lesion: Any) -> float:
    """Largest diameter of the lesion seen from above, by rays from the middle of its head."""
    turns = 48
    best = 0.0
    points_u, points_v = np.zeros(turns * 7), np.zeros(turns * 7)
    for i in range(turns):
        for j in range(7):
            turn, lift = i * 2.0 * np.pi / turns, (j - 3) * 0.3
            if lesion.plateau > 0.5:
                lift = 0.0
            du, dv, dw = np.cos(turn) * np.cos(lift), np.sin(turn) * np.cos(lift), np.sin(lift)
            low, high = 0.0, 2.0 * lesion.radius
            for _ in range(14):
                t = 0.5 * (low + high)
                d, inside = lesion_distance(
                    lesion,
                    9.0,
                    lesion.lean_u + t * du,
                    lesion.lean_v + t * dv,
                    lesion.rise + t * dw,
                )
                if (lesion.plateau > 0.5 and inside > 0.0) or (lesion.plateau < 0.5 and d < 0.0):
                    low = t
                else:
                    high = t
            points_u[i * 7 + j] = low * du
            points_v[i * 7 + j] = low * dv
    for i in range(turns // 2):
        turn = i * 2.0 * np.pi / turns
        along = points_u * np.cos(turn) + points_v * np.sin(turn)
        best = max(best, along.max() - along.min())
    return best


_LENGTHS = ("radius", "height", "rise", "lean_u", "lean_v", "stalk_radius", "blend", "fade")


@functools.lru_cache(maxsize=4096)
def _record_bytes(lesion: Lesion) -> bytes:
    _check(lesion)
    rng = np.random.default_rng([lesion.seed & 0xFFFFFFFF, 0x1E510])
    record = np.zeros(1, LESION_DTYPE)[0]
    record["ux"], record["vy"], record["wz"] = 1.0, 1.0, 1.0
    _set_form(record, lesion, rng)
    _set_relief(record, lesion, rng)
    _set_margin(record, lesion, rng)
    record["bound"] = 50.0
    head = record.copy()
    head["stalk"] = 0.0
    scale = lesion.size_cm / _extent(head)
    for name in _LENGTHS:
        record[name] *= scale
    lean = np.hypot(record["lean_u"], record["lean_v"])
    reach = np.hypot(record["rise"] + record["height"], lean) + 1.35 * record["radius"]
    record["bound"] = 1.45 * reach + record["blend"]
    set_surface(record, lesion, rng)
    return record.tobytes()


def lesion_record(lesion: Lesion) -> Any:
    """Shape and surface of a lesion as one record of `LESION_DTYPE`, at the origin.

    Raises `ValueError` naming the lesion and the field for a Paris type that is not drawn
    (0-IIb, 0-IIc, 0-III), an unknown colour or descriptor, or a size outside 0.05 to 10 cm.
    """
    return np.frombuffer(_record_bytes(lesion), LESION_DTYPE).copy()[0]
