"""What the ear looks like, at a point of its surface."""

import math

from endoalign.world.ent.compiled import compiled
from endoalign.world.ent.ear import Ear
from endoalign.world.ent.ear_shape import (
    canal_distance,
    drum_distance,
    hole_distance,
    wax_distance,
)
from endoalign.world.ent.solids import Surface, bell, segment, vessels
from endoalign.world.renderer.noise import gradient_noise
from endoalign.world.renderer.vectors import Vector, blend, scaled, smooth_step


@compiled
def ear_surface(ear: Ear, x: float, y: float, z: float) -> Surface:
    """What the ear looks like at a point of its surface."""
    drum, wall = drum_distance(ear, x, y, z), canal_distance(ear, x, y, z)
    if wax_distance(ear, x, y, z) < min(drum, wall):
        return _wax_surface(ear, x, y, z)
    skin = _skin(ear, x, y, z)
    if wall < drum - 0.02:
        return skin, 0.25, 0.0, 0.22
    return _drum_surface(ear, x, y, skin)


@compiled
def _wax_surface(ear: Ear, x: float, y: float, z: float) -> Surface:
    mottle, _ = gradient_noise((6.0 * x, 6.0 * y, 6.0 * z + ear.noise))
    light = blend((0.66, 0.4, 0.1), (0.3, 0.15, 0.045), ear.wax_dark)
    return scaled(light, 1.0 + 0.9 * mottle), 0.7, 0.0, 0.5


@compiled
def _skin(ear: Ear, x: float, y: float, z: float) -> Vector:
    mottle, _ = gradient_noise((2.5 * x + ear.noise, 2.5 * y, 2.5 * z))
    colour = scaled((ear.skin_red, ear.skin_green, ear.skin_blue), 1.0 + 0.2 * mottle)
    near = smooth_step(0.7, 0.0, ear.depth - z)
    colour = blend(colour, (0.78, 0.36, 0.31), 0.3 * near + 0.8 * ear.canal_red)
    fine = vessels((x + ear.noise, y, z), 3.0, 0.06)
    return blend(colour, (0.6, 0.16, 0.14), (0.12 + 0.4 * ear.canal_red) * fine)


@compiled
def _drum_surface(ear: Ear, x: float, y: float, skin: Vector) -> Surface:
    r = math.sqrt(x * x + y * y)
    gap = hole_distance(ear, x, y)
    if gap < -0.03:
        return _middle_ear(ear, x, y, gap)
    mottle, _ = gradient_noise((3.0 * x, 3.0 * y, ear.noise))
    colour = scaled((ear.drum_red, ear.drum_green, ear.drum_blue), 1.0 + 0.14 * mottle)
    incus = bell(x + 0.3 - 0.1 * y, 0.07) * smooth_step(0.0, 0.2, y) * smooth_step(0.75, 0.5, y)
    colour = blend(colour, (0.75, 0.62, 0.5), 0.5 * incus)
    window = bell(math.sqrt((x + 0.4) ** 2 + (y + 0.35) ** 2), 0.3)
    colour = scaled(colour, 1.0 - 0.22 * window)
    colour = _fluid(ear, x, y, colour)
    colour = _inflamed(ear, x, y, r, colour)
    colour = _malleus(ear, x, y, colour)
    flaccida = smooth_step(0.66, 0.82, y) * smooth_step(1.05, 0.9, r)
    colour = blend(colour, (0.8, 0.5, 0.42), 0.7 * flaccida)
    ring = bell(r - 0.95, 0.05) * smooth_step(0.8, 0.55, y)
    colour = blend(colour, (0.9, 0.86, 0.78), 0.55 * ring * (1.0 - 0.8 * ear.red))
    colour = blend(colour, (0.92, 0.84, 0.76), 0.65 * bell(gap, 0.04))
    colour = blend(colour, skin, smooth_step(0.97, 1.04, r))
    glow = _cone_of_light(ear, x, y) * smooth_step(0.0, 0.06, gap)
    return colour, 0.45 * (1.0 - 0.4 * ear.amber), glow, 0.06 + 0.12 * ear.red


@compiled
def _middle_ear(ear: Ear, x: float, y: float, gap: float) -> Surface:
    mottle, _ = gradient_noise((7.0 * x, 7.0 * y, ear.noise + 9.0))
    shade = 0.45 + 0.35 * smooth_step(-0.06, -0.3, gap)
    colour = scaled((0.72, 0.4, 0.3), shade * (1.0 + 0.7 * mottle))
    return colour, 0.7, 0.0, 0.4


@compiled
def _fluid(ear: Ear, x: float, y: float, colour: Vector) -> Vector:
    """The drum with amber fluid behind it, its level and a bubble in it."""
    if ear.amber <= 0.0:
        return colour
    above = y - ear.level - ear.level_tilt * x - 0.12 * x * x
    wet = smooth_step(0.02, -0.02, above)
    colour = blend(colour, (0.66, 0.4, 0.1), ear.amber * (0.25 + 0.6 * wet))
    colour = blend(colour, (0.2, 0.1, 0.03), 0.75 * ear.amber * bell(above, 0.022))
    if ear.bubble > 0.0:
        dx, dy = x - ear.bubble_x, y - ear.bubble_y
        away = math.sqrt(dx * dx + dy * dy)
        colour = blend(colour, (0.22, 0.12, 0.04), 0.7 * bell(away - ear.bubble, 0.022))
        colour = blend(colour, (0.82, 0.68, 0.4), 0.5 * smooth_step(ear.bubble, 0.0, away))
    return colour


@compiled
def _inflamed(ear: Ear, x: float, y: float, r: float, colour: Vector) -> Vector:
    """The drum with dilated vessels, from the rim and along the handle, and a red blush."""
    if ear.red <= 0.0:
        return colour
    colour = blend(colour, (0.74, 0.22, 0.17), ear.red * (0.62 + 0.3 * r))
    angle = math.atan2(y, x)
    net = vessels((1.3 * math.cos(angle), 1.3 * math.sin(angle), 0.35 * r + ear.noise), 5.0, 0.16)
    return blend(colour, (0.5, 0.05, 0.06), 0.6 * ear.red * net * smooth_step(0.15, 0.5, r))


@compiled
def _malleus(ear: Ear, x: float, y: float, colour: Vector) -> Vector:
    """The drum with the pale handle, its fine vessels and the short process."""
    aside, along = segment(
        x, y, 0.0, ear.umbo_x, ear.umbo_y, 0.0, ear.process_x, ear.process_y, 0.0
    )
    blush = bell(aside, 0.14) * (0.3 + 0.7 * along)
    colour = blend(colour, (0.78, 0.36, 0.3), 0.45 * blush)
    colour = blend(colour, (0.94, 0.82, 0.62), ear.handle_show * bell(aside, 0.08))
    dx, dy = x - ear.process_x, y - ear.process_y
    knob = bell(math.sqrt(dx * dx + dy * dy), 0.11)
    return blend(colour, (0.97, 0.92, 0.8), ear.handle_show * knob)


@compiled
def _cone_of_light(ear: Ear, x: float, y: float) -> float:
    """Brightness of the bright triangle that opens from the umbo to the rim."""
    if ear.light <= 0.0:
        return 0.0
    dx, dy = x - ear.umbo_x, y - ear.umbo_y
    cos, sin = math.cos(ear.light_angle), math.sin(ear.light_angle)
    out, across = dx * cos + dy * sin, dy * cos - dx * sin
    if out <= 0.0:
        return 0.0
    grain, _ = gradient_noise((9.0 * x, 9.0 * y, ear.noise + 50.0))
    reach = smooth_step(0.04, 0.14, out) * smooth_step(0.86, 0.55, out)
    width = 0.02 + ear.light_width * out
    return ear.light * reach * smooth_step(1.3, 0.5, abs(across) / width) * (1.0 + 0.5 * grain)
