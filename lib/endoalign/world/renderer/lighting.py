"""Light of the endoscope on wet mucosa: two lamps beside the lens, inverse-square fall-off.

Light that enters tissue leaves it redder and blurred: the red channel wraps further into shadow.
The wet film reflects the lamps as small sharp spots (Blinn-Phong on the relief), broken by it.
"""

import math

from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.scene import Camera
from endoalign.world.renderer.vectors import Vector, ahead, dot, minus, scaled, unit

_WRAP_RED, _WRAP_GREEN, _WRAP_BLUE = 0.28, 0.1, 0.08
"""How far past the terminator scattered light still shines, by channel."""
_SHARPNESS = 1100.0
"""Exponent of the highlight on a film that a pixel resolves."""


@compiled
def _highlight(cosine: float, sharpness: float) -> float:
    """Normalised Blinn-Phong lobe."""
    if cosine <= 0.0:
        return 0.0
    return (sharpness + 8.0) * 0.04 * math.exp(sharpness * math.log(cosine))


@compiled
def lit(
    camera: Camera,
    point: Vector,
    normal: Vector,
    relief: Vector,
    albedo: Vector,
    gloss: float,
    open_share: float,
    roughness: float,
) -> Vector:
    """Radiance towards the lens from a point of the surface.

    ``normal`` is that of the shape, ``relief`` that of the fine surface; ``roughness`` widens the
    highlights by the relief that a pixel cannot resolve; ``open_share`` darkens creases.
    """
    eye = (camera.x, camera.y, camera.z)
    view = minus(eye, point)
    far2 = dot(view, view)
    view = unit(view)
    right = (camera.rotation[0, 0], camera.rotation[0, 1], camera.rotation[0, 2])
    red, green, blue, spot = 0.0, 0.0, 0.0, 0.0
    sharpness = _SHARPNESS / (1.0 + roughness)
    for lamp in range(2):
        side = camera.light_offset * (2.0 * lamp - 1.0)
        way = minus(ahead(eye, right, side), point)
        distance = math.sqrt(dot(way, way)) + 1e-9
        way = scaled(way, 1.0 / distance)
        power = camera.light_balance if lamp else 2.0 - camera.light_balance
        power /= 0.12 + math.exp(camera.falloff * math.log(distance))
        cosine = 0.75 * dot(relief, way) + 0.25 * dot(normal, way)
        red += power * max((cosine + _WRAP_RED) / (1.0 + _WRAP_RED), 0.0)
        green += power * max((cosine + _WRAP_GREEN) / (1.0 + _WRAP_GREEN), 0.0)
        blue += power * max((cosine + _WRAP_BLUE) / (1.0 + _WRAP_BLUE), 0.0)
        spot += power * _highlight(dot(relief, unit(ahead(way, view, 1.0))), sharpness)
    rim = 0.05 * math.exp(4.0 * math.log(1.0 - 0.98 * max(dot(normal, view), 0.0)))
    ambient = 0.07 / (0.6 + 0.35 * far2) * open_share
    shine = 0.016 * gloss * (1.0 + 14.0 * rim) * spot
    depth = 0.35 + 0.65 * open_share
    return (
        albedo[0] * (0.5 * red * math.sqrt(depth) + ambient + 0.5 * rim) + shine,
        albedo[1] * (0.5 * green * depth + ambient + 0.3 * rim) + shine,
        albedo[2] * (0.5 * blue * depth + ambient + 0.3 * rim) + shine,
    )
