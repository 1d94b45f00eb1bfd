"""Where the endoscope stands in an upper region, and where a region's findings lie."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from endoalign.world.renderer.distance import axis_at
from endoalign.world.renderer.placement import NO_TOOL, clearance, head_centre, look_beside, sight
from endoalign.world.renderer.scene import LESION_DTYPE, FloatArray, Wall
from endoalign.world.renderer.upper_records import finding_records, place_record
from endoalign.world.upper.truth import UpperFinding

NO_LESIONS: Final[Any] = np.zeros(0, LESION_DTYPE)
_REACH = 12.0
"""Length (cm) of the rays that look for the wall."""


@dataclass(frozen=True)
class Outlook:
    """Ranges of a region's standard views.

    ``back`` is the distance before the landmark, ``aside`` from the axis (both cm), ``wobble`` the
    angle between view and landmark; ``site_back`` and ``site_tilt`` are distance and angle from
    the axis at which a finding is met (radians), ``site_flat`` squeezes its place into a band.
    """

    back: tuple[float, float]
    aside: float
    wobble: float
    site_back: float
    site_tilt: tuple[float, float]
    site_flat: float = 1.0


OUTLOOKS: Final = {
    "esophagus": Outlook((1.0, 4.6), 0.3, 0.22, 3.4, (0.42, 0.62)),
    "cardia": Outlook((2.7, 4.2), 0.8, 0.3, 3.3, (0.34, 0.62)),
    "fundus": Outlook((3.2, 5.6), 1.2, 0.5, 4.0, (0.1, 0.6)),
    "body": Outlook((5.0, 11.0), 0.9, 0.28, 8.5, (0.4, 0.8)),
    "angularis": Outlook((2.3, 4.0), 0.7, 0.25, 3.0, (0.0, 0.4), 0.12),
    "antrum": Outlook((3.6, 5.6), 0.8, 0.32, 4.4, (0.28, 0.62)),
    "pylorus": Outlook((1.1, 2.1), 0.25, 0.2, 2.4, (0.36, 0.6)),
    "duodenum": Outlook((2.0, 6.0), 0.35, 0.3, 4.5, (0.35, 0.65)),
}

_BEFORE_VARICES: Final = 3.0
"""Least distance (cm) before the junction: nearer, a view would not show the columns above it."""


def landmark(region: str, wall: Wall) -> FloatArray:
    """The point of the scene that the standard view looks at."""
    form = wall.form[0]
    if region in {"cardia", "antrum", "pylorus"}:
        return np.array([form["hole_x"], form["hole_y"], form["end"]])
    if region == "angularis":
        return np.array([0.0, form["hole_y"], form["ridge_z"]])
    if region == "fundus":
        return np.array([0.0, 0.0, form["depth"]])
    if region == "body":
        return np.array([0.0, 0.0, 8.0])
    return np.array([*axis_at(wall, 5.0)[:2], 5.0])


def stand(region: str, wall: Wall, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Position and direction of a standard view of the region, clear of the wall."""
    outlook, target = OUTLOOKS[region], landmark(region, wall)
    near, far = outlook.back
    if wall.form[0]["varices"] > 0.0:
        near = _BEFORE_VARICES
    for _ in range(16):
        z = target[2] - rng.uniform(near, far)
        angle, off = rng.uniform(0, 2 * np.pi), rng.uniform(0.0, outlook.aside)
        axis = np.array(axis_at(wall, z)[:2]) if region == "duodenum" else target[:2]
        point = np.array([axis[0] + off * np.cos(angle), axis[1] + off * np.sin(angle), z])
        ahead = target
        if region in {"duodenum", "body", "esophagus"}:
            ahead = np.array([*axis_at(wall, z + 2.0)[:2], z + 2.0])
        turn = rng.uniform(0, 2 * np.pi)
        forward = look_beside(ahead - point, rng.uniform(0.0, outlook.wobble), turn)
        if clearance(wall, NO_LESIONS, NO_TOOL, point) > 0.25:
            break
    return point, forward


def press(wall: Wall, point: FloatArray, forward: FloatArray) -> FloatArray:
    """The position ``point`` moved along ``forward`` until the lens all but touches the wall."""
    share = sight(wall, NO_LESIONS, NO_TOOL, point, point + _REACH * forward)
    return np.asarray(point + max(share * _REACH - 0.18, 0.0) * forward)


def _site(region: str, wall: Wall, finding: UpperFinding, tilt: float, turn: float) -> FloatArray:
    """Point of the wall that a ray from the region's site meets at an angle from the axis."""
    outlook, target = OUTLOOKS[region], landmark(region, wall)
    z = target[2] - outlook.site_back
    centre = np.array(axis_at(wall, z)[:2]) if region == "duodenum" else target[:2]
    start = np.array([*centre, z])
    way = np.array(
        [np.sin(tilt) * np.cos(turn), outlook.site_flat * np.sin(tilt) * np.sin(turn), np.cos(tilt)]
    )
    way /= np.linalg.norm(way)
    share = sight(wall, NO_LESIONS, NO_TOOL, start, start + _REACH * way)
    return np.asarray(start + share * _REACH * way)


def place_findings(
    region: str, wall: Wall, findings: tuple[UpperFinding, ...]
) -> tuple[Any, tuple[int, ...]]:
    """Placed records of the local findings, and for each record the index of its finding.

    A finding lies at the same place in every frame of a patient.
    """
    records, owners = [], []
    for index, finding in enumerate(findings):
        rng = np.random.default_rng([finding.seed & 0xFFFFFFFF, 0x51DE])
        tilt = rng.uniform(*OUTLOOKS[region].site_tilt)
        turn = np.pi / 2 - finding.clock * np.pi / 6
        for element, record in enumerate(finding_records(finding)):
            point = _site(region, wall, finding, tilt, turn)
            if element:
                way = 1.2 * np.pi * element + rng.uniform(0, 1.0)
                gap = rng.uniform(0.8, 1.3) * finding.size_cm / OUTLOOKS[region].site_back
                aside = gap * np.sin(way) / max(np.sin(tilt), 0.25)
                point = _site(region, wall, finding, tilt + gap * np.cos(way), turn + aside)
            place_record(record, wall, point, rng.uniform(0, 2 * np.pi))
            records.append(record)
            owners.append(index)
    array = np.zeros(len(records), LESION_DTYPE)
    for i, record in enumerate(records):
        array[i] = record
    return array, tuple(owners)


_APPROACH: Final = {"clear": (0.15, 0.5), "off_centre": (0.0, 0.45), "far": (0.0, 0.1)}
"""How far of the way to the finding the camera has gone, so that the region stays in sight."""
_TURNED: Final = {"clear": (0.4, 0.8), "off_centre": (0.1, 0.5), "far": (0.3, 0.7)}
"""How far the view has turned from the landmark to the finding."""


def stand_before_finding(
    region: str, wall: Wall, records: Any, framing: str, half_view: float, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Position and direction that frame the first record as asked, with the region around it."""
    site = head_centre(records[0])
    best = (np.zeros(3), np.zeros(3))
    best_score = -9.0
    for _ in range(24):
        point, forward = stand(region, wall, rng)
        way = site - point
        gone = rng.uniform(*_APPROACH[framing])
        keep = (1.1 + float(records[0]["radius"])) / float(np.linalg.norm(way))
        point = point + max(min(gone, 1.0 - keep), 0.0) * way
        way = (site - point) / np.linalg.norm(site - point)
        share = rng.uniform(*_TURNED[framing])
        forward = (1.0 - share) * forward + share * way
        forward /= np.linalg.norm(forward)
        off = float(np.arccos(np.clip(forward @ way, -1.0, 1.0)))
        free = clearance(wall, records, NO_TOOL, point)
        seen = sight(wall, records, NO_TOOL, point, site)
        score = min(free, 0.3) + min(seen, 0.9) - max(off / half_view - 0.75, 0.0)
        if score > best_score:
            best, best_score = (point, forward), score
        if score > 1.19:
            break
    return best
