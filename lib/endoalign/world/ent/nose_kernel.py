"""The nasal cavity as compiled code reads it: distance to its surfaces, and their looks."""

from endoalign.world.ent.compiled import compiled
from endoalign.world.ent.nose import Nose
from endoalign.world.ent.solids import Surface, bell, ellipsoid, segment, smooth_union, vessels
from endoalign.world.renderer.noise import gradient_noise, value_noise
from endoalign.world.renderer.vectors import Vector, blend, scaled, smooth_step


@compiled
def _septum(nose: Nose, x: float, y: float, z: float) -> float:
    plane = nose.septum + 0.06 * bell(y - 0.55, 0.3) - x
    most = nose.deviation + nose.spur + 0.03
    if plane > most + 0.4:  # out of reach of what follows
        return 0.8 * (plane - most)
    lean = nose.deviation * bell(y - nose.deviation_y, 0.7) * bell(z - nose.deviation_z, 0.9)
    ridge = nose.spur * bell(y - nose.spur_y, 0.15) * bell(z - nose.deviation_z, 0.8)
    wave = 0.03 * value_noise((nose.noise, 1.5 * y, 1.2 * z))
    return 0.8 * (plane - lean - ridge + wave)


@compiled
def _turbinates(nose: Nose, x: float, y: float, z: float) -> float:
    inferior = ellipsoid(
        x - nose.lateral - 0.04,
        y - nose.inferior_y + 0.1 * (z - nose.inferior_z),
        z - nose.inferior_z - 2.0,
        nose.inferior + 0.06,
        0.95 * nose.inferior,
        2.0,
    )
    tall = 0.5 * (nose.roof + 0.25 - nose.middle_low)
    middle = ellipsoid(
        x - nose.middle_x + 0.12 * (y - nose.middle_low),
        y - nose.middle_low - tall,
        z - nose.middle_z - 1.5,
        nose.middle,
        tall,
        1.5,
    )
    bulla = ellipsoid(
        x - nose.lateral - 0.22,
        y - 0.32,
        z - nose.middle_z - 0.75,
        nose.bulla,
        1.3 * nose.bulla,
        0.5,
    )
    both = min(inferior, smooth_union(middle, bulla, 0.06))
    if both > 0.22:
        return both - 0.04
    return both - 0.04 * value_noise((2.2 * x + nose.noise, 2.2 * y, 1.6 * z))


@compiled
def _shell(nose: Nose, x: float, y: float, z: float) -> float:
    """Lateral wall, floor, roof and nasopharynx."""
    narrow = 0.12 * max(z - 1.0, 0.0)
    across = smooth_union(y - nose.floor, nose.roof - narrow - y, 0.3)
    return smooth_union(smooth_union(x - nose.lateral, across, 0.35), nose.end - z, 0.8)


@compiled
def _polyps(nose: Nose, x: float, y: float, z: float) -> float:
    if nose.polyp <= 0.0:
        return 9.0
    dx, dy, dz = x - nose.polyp_x, y - nose.polyp_y, z - nose.polyp_z
    first = ellipsoid(dx, dy, dz, nose.polyp, 1.45 * nose.polyp, 1.2 * nose.polyp)
    if nose.second <= 0.0:
        return first
    second = ellipsoid(
        dx + 0.2, dy - 0.28, dz - 0.15, nose.second, 1.15 * nose.second, 1.2 * nose.second
    )
    return smooth_union(first, second, 0.04)


@compiled
def _mucus(nose: Nose, x: float, y: float, z: float) -> float:
    if nose.strand <= 0.0:
        return 9.0
    ripple = 0.05 * value_noise((3.0 * x, nose.noise, 2.0 * z))
    pool = 0.8 * (y - nose.floor - nose.pool * bell(z - 1.8, 1.0) - ripple + 0.02)
    away, along = segment(
        x + 0.05 * value_noise((nose.noise, 3.0 * y, 0.0)),
        y,
        z,
        nose.middle_x - 0.18,
        nose.middle_low + 0.22,
        nose.middle_z + 0.15,
        nose.strand_x,
        nose.floor,
        nose.strand_z,
    )
    rope = away - nose.strand * (0.6 + 1.2 * along * along)
    return smooth_union(pool, 0.85 * rope, 0.12)


@compiled
def nose_distance(nose: Nose, x: float, y: float, z: float) -> float:
    """Distance to the nearest surface of the nasal cavity; positive in the airway."""
    walls = smooth_union(_septum(nose, x, y, z), _shell(nose, x, y, z), 0.25)
    walls = smooth_union(walls, _turbinates(nose, x, y, z), 0.16)
    return min(walls, _polyps(nose, x, y, z), _mucus(nose, x, y, z))


@compiled
def nose_surface(nose: Nose, x: float, y: float, z: float) -> Surface:
    """What the nasal cavity looks like at a point of its surface."""
    septum, turbinate = _septum(nose, x, y, z), _turbinates(nose, x, y, z)
    walls = min(septum, turbinate, _shell(nose, x, y, z))
    polyp, mucus = _polyps(nose, x, y, z), _mucus(nose, x, y, z)
    if mucus < min(walls, polyp):
        colour = blend((0.66, 0.62, 0.58), (0.76, 0.68, 0.34), nose.yellow)
        return colour, 1.3, 0.04, 0.12
    if polyp < walls:
        return _polyp_surface(nose, x, y, z)
    mottle, _ = gradient_noise((2.6 * x, 2.6 * y, 2.6 * z + nose.noise))
    colour = scaled((nose.red, nose.green, nose.blue), 1.0 + 0.3 * mottle)
    colour = _on_septum(nose, colour, smooth_step(0.12, 0.0, septum - turbinate))
    swollen = nose.pale * smooth_step(0.1, -0.02, turbinate - walls)
    colour = blend(colour, (0.84, 0.72, 0.7), swollen)
    net = vessels((x, y, z + nose.noise), 8.0, 0.1)
    colour = blend(colour, (0.55, 0.08, 0.09), 0.3 * net * (1.0 - 0.7 * swollen))
    meatus = smooth_step(nose.middle_x - 0.1, nose.middle_x - 0.3, x) * smooth_step(0.0, 0.3, y)
    deep = smooth_step(nose.middle_z + 0.2, nose.middle_z + 1.2, z)
    near = 1.0 - 0.75 * smooth_step(2.6, 4.4, z)
    colour = scaled(colour, (1.0 - 0.5 * meatus * deep) * near)
    return colour, 0.8 * near * near, 0.0, 0.08 * nose.relief


@compiled
def _on_septum(nose: Nose, colour: Vector, share: float) -> Vector:
    """The septum is a little paler and yellower than the turbinates."""
    paler = (0.5 * nose.red + 0.44, 0.5 * nose.green + 0.31, 0.5 * nose.blue + 0.26)
    return blend(colour, paler, 0.55 * share)


@compiled
def _polyp_surface(nose: Nose, x: float, y: float, z: float) -> Surface:
    mottle, _ = gradient_noise((3.0 * x, 3.0 * y, 3.0 * z + nose.noise))
    colour = scaled((0.52, 0.34, 0.25), 1.0 + 0.3 * mottle)
    net = vessels((x, y + nose.noise, z), 6.0, 0.08)
    return blend(colour, (0.66, 0.25, 0.22), 0.35 * net), 1.0, 0.0, 0.05
