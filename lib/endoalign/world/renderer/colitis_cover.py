"""Where the signs of colitis lie on the wall: each a cover, 0 to 1, of a point of the surface.

The same functions colour the picture (`colitis_texture`) and tell the truth (`colitis_signs`).
Points are in cm, shifted to the patient's place in the noise, as those of `texture`.
"""

import math

from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.noise import cell_noise, gradient_noise, value_noise
from endoalign.world.renderer.scene import Mucosa
from endoalign.world.renderer.vectors import Vector, ahead, minus, scaled, smooth_step

_ULCER_RATE, _EROSION_RATE, _PETECHIA_RATE = 0.55, 1.7, 2.8
"""Lattice points per cm, around which a wound may lie."""


@compiled
def activity(place: Vector) -> float:
    """How inflamed a place is over its surroundings, about 0.5 to 1.4: no segment is even."""
    broad, _ = gradient_noise(scaled(place, 0.45))
    return 1.0 + 0.8 * broad + 0.22 * value_noise(scaled(place, 1.6))


@compiled
def vessels_left(mucosa: Mucosa, place: Vector) -> float:
    """Share of the vessels that show at a place: in mild disease they are lost in patches."""
    if mucosa.vascular >= 0.9:
        return mucosa.vascular
    lost = activity(place) + 0.35 * value_noise(scaled(place, 2.2)) - 1.0
    return mucosa.vascular * (1.0 - smooth_step(-0.25, 0.35, lost))


@compiled
def _lot(centre: Vector) -> float:
    """A number in 0 to 1 that belongs to one lattice point."""
    mixed = 61.7 * centre[0] + 37.3 * centre[1] + 17.9 * centre[2]
    return mixed - math.floor(mixed)


@compiled
def _wound(
    place: Vector, rate: float, density: float, radius: float
) -> tuple[float, float, Vector]:
    """Distance from the edge of the nearest wound (negative inside), its radius, way out.

    In lattice units. Radius 0 where the nearest lattice point has none: a share ``density`` of
    them have, each of its own size.
    """
    q = scaled(place, rate)
    d, away = cell_noise(q)
    lot = _lot(minus(q, away))
    own = radius * (0.5 + 0.5 * _lot((9.1 * lot, 0.0, 0.0)))
    own *= smooth_step(0.0, 0.2, density - lot)
    return math.sqrt(d) - own, own, away


@compiled
def ulcer_cover(mucosa: Mucosa, place: Vector, footprint: float) -> tuple[float, float, Vector]:
    """Cover of the ulcers' fibrin floor, of their red undermined rim, and the way out of them."""
    if mucosa.ulcer <= 0.0:
        return 0.0, 0.0, (0.0, 0.0, 0.0)
    _, broad = gradient_noise(scaled(place, 1.1))
    _, middle = gradient_noise(scaled(place, 2.9))
    _, fine = gradient_noise(scaled(place, 7.5))
    warped = ahead(ahead(ahead(place, broad, 0.34), middle, 0.11), fine, 0.03)
    long = (warped[0], warped[1], 0.75 * warped[2])
    edge, own, away = _wound(long, _ULCER_RATE, 0.8 * mucosa.ulcer, 0.44)
    if own <= 0.02:
        return 0.0, 0.0, away
    soft = 0.02 + _ULCER_RATE * footprint
    floor = smooth_step(0.5 * soft, -soft, edge)
    rim = smooth_step(0.22, 0.02, edge) * (1.0 - floor)
    return floor, rim, away


@compiled
def erosion_cover(mucosa: Mucosa, place: Vector, footprint: float) -> tuple[float, float]:
    """Cover of the erosions' pale floor, a few millimetres wide, and of the red halo around."""
    if mucosa.erosion <= 0.0:
        return 0.0, 0.0
    patch, _ = gradient_noise(scaled(place, 0.6))
    _, broad = gradient_noise(scaled(place, 2.6))
    _, fine = gradient_noise(scaled(place, 8.0))
    warped = ahead(ahead(place, broad, 0.1), fine, 0.02)
    density = 0.7 * mucosa.erosion * smooth_step(-0.35, 0.35, patch)
    edge, own, _ = _wound(warped, _EROSION_RATE, density, 0.36)
    if own <= 0.03:
        return 0.0, 0.0
    soft = 0.09 + _EROSION_RATE * footprint
    floor = smooth_step(0.5 * soft, -0.5 * soft, edge)
    return floor, smooth_step(0.2, 0.0, edge) * (1.0 - floor)


@compiled
def petechia_cover(mucosa: Mucosa, place: Vector, footprint: float) -> float:
    """Cover of pinpoint bleeding, the friable mucosa that bleeds where it is touched."""
    if mucosa.petechiae <= 0.0:
        return 0.0
    patch, _ = gradient_noise(scaled(place, 0.8))
    density = mucosa.petechiae * smooth_step(-0.3, 0.3, patch)
    edge, own, _ = _wound(place, _PETECHIA_RATE, density, 0.34)
    soft = 0.05 + _PETECHIA_RATE * footprint
    return smooth_step(0.5 * soft, -0.5 * soft, edge) * min(1.0, 2.0 * own / soft)


@compiled
def blood_cover(mucosa: Mucosa, place: Vector, footprint: float) -> float:
    """Cover of blood that wells up unprovoked and runs down the wall (the scene's -y)."""
    if mucosa.bleeding <= 0.0:
        return 0.0
    x, y, z = place
    drift = 0.5 * value_noise((0.7 * x, 0.7 * y, 0.7 * z))
    n, _ = gradient_noise((0.75 * x + 53.0 + drift, 0.3 * y, 0.75 * z))
    run, _ = gradient_noise((2.6 * x + drift, 0.45 * y + 17.0, 2.6 * z))
    ragged = value_noise(scaled(place, 5.0))
    level = 0.52 - 0.42 * mucosa.bleeding
    return smooth_step(0.0, 0.1 + 0.5 * footprint, n + 0.5 * run + 0.07 * ragged - level)


@compiled
def exudate_cover(mucosa: Mucosa, place: Vector) -> float:
    """Opacity of mucus and pus that clings to the wall."""
    if mucosa.exudate <= 0.0:
        return 0.0
    n, _ = gradient_noise(scaled(place, 0.9))
    strand, _ = gradient_noise((2.8 * place[0] + 71.0, 2.8 * place[1], 1.4 * place[2]))
    fine = value_noise(scaled(place, 7.0))
    level = 0.5 - 0.45 * mucosa.exudate
    return smooth_step(0.0, 0.28, n + 0.6 * strand + 0.15 * fine - level)
