"""The shape of the ear as compiled code reads it: distance to drum, canal wall and cerumen."""

import math

from endoalign.world.ent.compiled import compiled
from endoalign.world.ent.ear import Ear
from endoalign.world.ent.solids import bell, segment, smooth_union
from endoalign.world.renderer.noise import value_noise
from endoalign.world.renderer.vectors import smooth_step


@compiled
def hole_distance(ear: Ear, x: float, y: float) -> float:
    """Distance to the ragged rim of the perforation; negative inside, far where there is none."""
    if ear.hole <= 0.0:
        return 9.0
    dx, dy = x - ear.hole_x, y - ear.hole_y
    away = math.sqrt(dx * dx + 1.2 * dy * dy)
    if away > 1.4 * ear.hole:
        return away - 1.2 * ear.hole
    return away - ear.hole * (1.0 + 0.2 * value_noise((5.0 * x, 5.0 * y, ear.noise)))


@compiled
def _drum_depth(ear: Ear, x: float, y: float) -> float:
    """Depth z of the drum at a place of its disc."""
    dx, dy = x - ear.umbo_x, y - ear.umbo_y
    away = math.sqrt(dx * dx + dy * dy)
    z = ear.depth + ear.tilt_x * x - ear.tilt_y * y + ear.cone * max(0.0, 1.0 - away)
    z -= ear.bulge * max(0.0, 1.0 - x * x - y * y)
    aside, along = segment(
        x, y, 0.0, ear.umbo_x, ear.umbo_y, 0.0, ear.process_x, ear.process_y, 0.0
    )
    z -= ear.handle * (0.6 + 0.5 * along) * bell(aside, 0.08)
    px, py = x - ear.process_x, y - ear.process_y
    z -= 1.3 * ear.handle * bell(math.sqrt(px * px + py * py), 0.1)
    return z + 0.16 * smooth_step(0.02, -0.1, hole_distance(ear, x, y))


@compiled
def canal_distance(ear: Ear, x: float, y: float, z: float) -> float:
    """Distance to the wall of the canal, whose anterior side bulges before the drum."""
    back = ear.depth - z
    cx, cy = x - ear.bend_x * back * back, y - ear.bend_y * back * back
    r = math.sqrt(cx * cx + 0.88 * cy * cy) + 1e-9
    front = max(0.0, cx / r)
    radius = 1.0 + ear.flare * back - ear.overhang * front * front * bell(back - 0.65, 0.4)
    if radius - r > 0.2:
        return 0.9 * (radius - r - 0.05)
    return 0.9 * (radius - r + 0.05 * value_noise((1.7 * x + ear.noise, 1.7 * y, 1.3 * z)))


@compiled
def wax_distance(ear: Ear, x: float, y: float, z: float) -> float:
    """Distance to the lumps of cerumen; far where there are none."""
    if ear.wax_a <= 0.0:
        return 9.0
    a = math.sqrt((x - ear.wax_ax) ** 2 + (y - ear.wax_ay) ** 2 + (z - ear.wax_az) ** 2)
    b = math.sqrt((x - ear.wax_bx) ** 2 + (y - ear.wax_by) ** 2 + (z - ear.wax_bz) ** 2)
    c = math.sqrt((x - ear.wax_cx) ** 2 + (y - ear.wax_cy) ** 2 + (z - ear.wax_cz) ** 2)
    lumps = smooth_union(a - ear.wax_a, b - ear.wax_b, 0.12)
    lumps = smooth_union(lumps, c - ear.wax_c, 0.12)
    if lumps > 0.3:
        return 0.75 * (lumps - 0.12)
    rough = 0.09 * value_noise((5.0 * x, 5.0 * y + ear.noise, 5.0 * z))
    rough += 0.03 * value_noise((15.0 * x, 15.0 * y + ear.noise, 15.0 * z))
    return 0.75 * (lumps + rough)


@compiled
def drum_distance(ear: Ear, x: float, y: float, z: float) -> float:
    """Distance to the drum, shortened as its relief bends the field."""
    return 0.7 * (_drum_depth(ear, x, y) - z)


@compiled
def ear_distance(ear: Ear, x: float, y: float, z: float) -> float:
    """Distance to the nearest surface of the ear; positive in the canal."""
    drum = drum_distance(ear, x, y, z)
    return min(smooth_union(canal_distance(ear, x, y, z), drum, 0.08), wax_distance(ear, x, y, z))
