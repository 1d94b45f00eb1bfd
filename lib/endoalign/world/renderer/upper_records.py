"""From a finding of the truth to the records that the renderer draws on the wall."""

from typing import Any

import numpy as np

from endoalign.world.renderer.lesion_shape import lesion_record
from endoalign.world.renderer.placement import wall_normal
from endoalign.world.renderer.scene import LESION_DTYPE, FloatArray, Wall
from endoalign.world.upper.truth import UpperFinding


def finding_records(finding: UpperFinding) -> list[Any]:
    """Records of `LESION_DTYPE`, one for each element of a local finding; not yet placed."""
    if finding.lesion is not None:
        return [lesion_record(finding.lesion)]
    records = []
    for element in range(finding.count):
        rng = np.random.default_rng([finding.seed & 0xFFFFFFFF, element, 0x0FF5])
        size = finding.size_cm * (1.0 if element == 0 else rng.uniform(0.6, 1.0))
        record = np.zeros(1, LESION_DTYPE)[0]
        _patch(record, 0.5 * size, rng)
        _DRAWN[finding.kind](record, rng)
        record["bound"] = 2.2 * record["radius"] + record["height"] + 0.2
        records.append(record)
    return records


def _patch(record: Any, radius: float, rng: np.random.Generator) -> None:
    """A flat patch of irregular outline, in the colour of the mucosa."""
    record["plateau"], record["radius"] = 1.0, radius
    record["aspect"] = rng.uniform(0.65, 1.0)
    uneven = rng.uniform(0.06, 0.14)
    for order in (2, 3, 5):
        turn = rng.uniform(0, 2 * np.pi)
        record[f"c{order}"], record[f"s{order}"] = uneven * np.cos(turn), uneven * np.sin(turn)
    record["tint_r"], record["tint_g"], record["tint_b"] = 1.0, 1.0, 1.0
    record["gloss"], record["rough"] = rng.uniform(0.6, 1.1), 0.1
    record["grain_rate"], record["offset"] = 4.0, rng.uniform(-500, 500)
    for name in ("ulcer", "erosion"):
        record[f"{name}_z"] = 1.0


def _erosion(record: Any, rng: np.random.Generator) -> None:
    """A small defect with a pale floor on a reddened, slightly raised spot."""
    record["height"] = 0.16 * record["radius"]
    record["blend"], record["fade"] = 0.12 * record["radius"], 0.3 * record["radius"]
    record["tint_g"], record["tint_b"] = rng.uniform(0.5, 0.7), rng.uniform(0.5, 0.7)
    record["erosion"] = rng.uniform(0.42, 0.6)
    record["bleeding"] = rng.uniform(0.12, 0.2) if rng.random() < 0.25 else 0.0
    record["bleed_x"], record["bleed_y"] = rng.uniform(-0.3, 0.3, 2)


def _ulcer(record: Any, rng: np.random.Generator) -> None:
    """A deep defect: white floor, swollen red rim."""
    record["height"] = rng.uniform(0.18, 0.28) * record["radius"]
    record["blend"], record["fade"] = 0.25 * record["radius"], 0.25 * record["radius"]
    record["tint_g"], record["tint_b"] = rng.uniform(0.5, 0.7), rng.uniform(0.5, 0.7)
    record["ulcer"], record["ulcer_depth"] = rng.uniform(0.62, 0.8), rng.uniform(0.3, 0.45)
    record["congestion"] = rng.uniform(0.3, 0.7)


def _redness(record: Any, rng: np.random.Generator) -> None:
    """A reddened patch that fades into the mucosa."""
    record["height"] = 0.01
    record["blend"], record["fade"] = 0.3 * record["radius"], 0.5 * record["radius"]
    record["tint_r"] = 1.04
    record["tint_g"], record["tint_b"] = rng.uniform(0.42, 0.6), rng.uniform(0.42, 0.6)
    record["congestion"] = rng.uniform(0.5, 1.0)
    record["rough"] = 0.3


_DRAWN = {"erosion": _erosion, "ulcer": _ulcer, "redness": _redness}


def place_record(record: Any, wall: Wall, point: FloatArray, turn: float) -> None:
    """Set a record's base point and axes on the wall, in place; ``turn`` spins it."""
    normal = wall_normal(wall, *point, 0.15 + 0.3 * float(record["radius"]))
    side = np.cross(normal, (np.cos(turn), np.sin(turn), 0.3))
    side /= np.linalg.norm(side)
    axes = (side, np.cross(normal, side), normal)
    for letter, value in zip("xyz", point, strict=True):
        record[letter] = value
    for row, axis in zip("uvw", axes, strict=True):
        for letter, value in zip("xyz", axis, strict=True):
            record[f"{row}{letter}"] = value
