"""What one ray sees: the surface it meets, lit, with fluid and instrument."""

import math

from endoalign.world.renderer.colitis_cover import vessels_left
from endoalign.world.renderer.colitis_texture import inflamed_at
from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.distance import tool_distance, wall_distance
from endoalign.world.renderer.lesion_distance import lesion_distance
from endoalign.world.renderer.lesion_texture import lesion_at
from endoalign.world.renderer.lighting import lit
from endoalign.world.renderer.march import FAR, normal_at, openness, trace
from endoalign.world.renderer.noise import gradient_noise
from endoalign.world.renderer.scene import Camera, FloatArray, Mucosa, Tool, Wall
from endoalign.world.renderer.texture import mucosa_at, soil_cover
from endoalign.world.renderer.upper_texture import upper_surface
from endoalign.world.renderer.vectors import (
    Vector,
    ahead,
    blend,
    dot,
    scaled,
    smooth_step,
    times,
    unit,
)

_TOOL_GLOSS = 1.2
_HIDDEN = 0.7
"""Opacity of fluid from which on a lesion below it counts as hidden."""


@compiled
def _owner(wall: Wall, lesions: FloatArray, point: Vector) -> tuple[int, float]:
    """Index of the nearest lesion (-1 without any) and the depth into its outline, cm."""
    nearest, best = -1, -1e9
    if lesions.shape[0] == 0:
        return nearest, best
    bare = wall_distance(wall, point[0], point[1], point[2])
    for i in range(lesions.shape[0]):
        _, inside = lesion_distance(lesions[i], bare, point[0], point[1], point[2])
        if inside > best:
            nearest, best = i, inside
    return nearest, best


@compiled
def _pool(
    mucosa: Mucosa, camera: Camera, point: Vector, ray: Vector, light: Vector
) -> tuple[Vector, float]:
    """Light through a pool of fluid that the ray enters before the wall, and its opacity."""
    if ray[1] >= -1e-3 or camera.y <= mucosa.fluid:
        return light, 0.0
    t = (mucosa.fluid - camera.y) / ray[1]
    entry = ahead((camera.x, camera.y, camera.z), ray, t)
    path = dot(ray, (point[0] - entry[0], point[1] - entry[1], point[2] - entry[2]))
    if path <= 0.0:
        return light, 0.0
    n, swell = gradient_noise(scaled(entry, 1.3))
    relief = unit((0.04 * swell[0], 1.0, 0.04 * swell[2]))
    colour = (mucosa.fluid_red, mucosa.fluid_green, mucosa.fluid_blue)
    dark = scaled(colour, 0.4)
    surface = lit(camera, entry, (0.0, 1.0, 0.0), relief, dark, 2.0, 1.0, 0.2)
    cover = 1.0 - math.exp(-path * (0.8 + 0.4 * n))
    tinted = times(light, blend((1.0, 1.0, 1.0), scaled(colour, 1.6), min(2.0 * cover, 1.0)))
    return blend(tinted, surface, 0.75 * cover), cover


@compiled
def _surface(
    wall: Wall,
    lesions: FloatArray,
    mucosa: Mucosa,
    point: Vector,
    normal: Vector,
    footprint: float,
    nearest: int,
    inside: float,
) -> tuple[Vector, Vector, float]:
    """Albedo, slope of the relief and gloss of wall or lesion with what soils it."""
    place = (point[0] + wall.offset_x, point[1] + wall.offset_y, point[2] + wall.offset_z)
    on_lesion = smooth_step(-0.05, 0.1, inside) if nearest >= 0 else 0.0
    vascular = 1.0 - 0.9 * on_lesion
    if mucosa.inflamed > 0.0:
        vascular *= vessels_left(mucosa, place)
    albedo, slope = mucosa_at(mucosa, place, normal, footprint, vascular)
    gloss = mucosa.gloss
    if mucosa.inflamed > 0.0:
        albedo, slope, wet = inflamed_at(mucosa, place, albedo, slope, footprint)
        gloss += wet
    if wall.form.shape[0] > 0:
        albedo, slope, wet = upper_surface(wall, point, place, normal, footprint, albedo, slope)
        gloss += wet
    if mucosa.dye > 0.0:
        n, _ = gradient_noise(scaled(place, 0.7))
        dye = mucosa.dye * smooth_step(-0.1, 0.35, n - 0.8 * max(inside, -0.4))
        albedo = blend(albedo, (0.1 * albedo[0], 0.9 * albedo[1], 1.6 * albedo[2] + 0.05), dye)
    if nearest >= 0 and inside > -1.5 * lesions[nearest].radius:
        albedo, own, shine, weight = lesion_at(lesions[nearest], inside, point, albedo, footprint)
        slope = blend(slope, own, weight)
        gloss += (shine - gloss) * weight
    # A lesion is rinsed before its picture is kept.
    soil = soil_cover(mucosa, place, footprint) * (1.0 - 0.75 * on_lesion)
    if soil > 0.0:
        n, rough = gradient_noise(scaled(place, 6.0))
        stool = (mucosa.soil_red, mucosa.soil_green, mucosa.soil_blue)
        albedo = blend(albedo, stool, 0.85 * (0.8 + 0.4 * n) * soil)
        slope = ahead(slope, rough, 0.6 * soil)
    # A slow swell of the wet film bends every highlight; the relief breaks it up.
    _, swell = gradient_noise(scaled(place, 2.2))
    return albedo, ahead(scaled(slope, 0.35), swell, 0.1), gloss


@compiled
def seen(
    wall: Wall,
    lesions: FloatArray,
    tool: Tool,
    mucosa: Mucosa,
    camera: Camera,
    ray: Vector,
    start: float,
    spread: float,
) -> tuple[Vector, float, int]:
    """Radiance, depth (cm) and lesion (1-based, 0 none) along a ray, free up to ``start``."""
    eye = (camera.x, camera.y, camera.z)
    t = trace(wall, lesions, tool, eye, ray, start, spread)
    if t >= FAR:
        return (0.0, 0.0, 0.0), FAR, 0
    point = ahead(eye, ray, t)
    eps = 0.003 + 0.4 * spread * t
    normal = normal_at(wall, lesions, tool, point, eps)
    footprint = spread * t / max(0.2, -dot(normal, ray))
    if tool_distance(tool, point[0], point[1], point[2]) < 0.003 + 0.3 * spread * t:
        colour = (tool.red, tool.green, tool.blue)
        return lit(camera, point, normal, normal, colour, _TOOL_GLOSS, 1.0, 2.0), t, 0
    nearest, inside = _owner(wall, lesions, point)
    albedo, slope, gloss = _surface(
        wall, lesions, mucosa, point, normal, footprint, nearest, inside
    )
    slope = ahead(slope, normal, 1.0 - dot(slope, normal))
    open_share = openness(wall, lesions, tool, point, normal)
    light = lit(camera, point, normal, unit(slope), albedo, gloss, open_share, 40.0 * footprint)
    light, cover = _pool(mucosa, camera, point, ray, light)
    return light, t, (nearest + 1 if inside > 0.0 and cover < _HIDDEN else 0)
