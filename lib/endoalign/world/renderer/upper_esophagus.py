"""The oesophagus: a tube that closes in a rosette at the junction, with varices where there are."""

import math
from typing import Any

from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.upper_section import bulge_at, section_at


@compiled
def varix_at(form: Any, angle: float, r: float, z: float) -> float:
    """How far a column of varices stands out at a place of the oesophagus, 0 to 1."""
    best = 0.0
    count = int(form.varices)
    for i in range(count):
        phase = form.varix_phase + 1.7 * i
        middle = form.varix_phase + 6.2832 * i / count + 0.22 * math.sin(2.1 * z + 3.0 * phase)
        turn = (angle - middle) / 6.2832
        away = 6.2832 * r * (turn - math.floor(turn + 0.5))
        bead = 0.75 + 0.25 * math.sin(4.3 * z + 5.0 * phase)
        width = 0.2 * bead + 0.05
        best = max(best, bead * math.exp(-(away * away) / (width * width)))
    return best


@compiled
def esophagus_distance(wall: Any, form: Any, x: float, y: float, z: float) -> float:
    """Distance to the wall of the oesophagus and of the stomach's entry behind it (cm)."""
    r = math.sqrt(x * x + y * y) + 1e-9
    if z < form.end - 2.5 * form.depth and wall.radius - r > 0.7 * wall.radius:
        return 0.3 * wall.radius
    angle = math.atan2(y, x)
    reach = (z - form.end) / form.depth
    waist = math.exp(-reach * reach)
    beyond = min(max((z - form.end - 0.3) / 2.5, 0.0), 1.0)
    section = section_at(wall, form, angle) * (1.0 - (1.0 - form.hole) * waist) + 1.8 * beyond
    fold = math.cos(0.5 * (form.folds * angle + form.fold_phase + 0.5 * math.sin(1.3 * z)))
    section -= form.fold_height * (0.12 + 0.88 * waist) * fold * fold
    if form.varices > 0.0:
        section -= form.varix_height * varix_at(form, angle, r, z) * (1.0 - 0.6 * waist)
    return 0.62 * (section - r + wall.undulation * bulge_at(wall, x, y, z))
