"""Seedless lattice noise in three dimensions, compiled: the raw material of every texture.

`gradient_noise` is Perlin's gradient noise with its analytic gradient, so that a bump needs one
evaluation and a level line of the noise has a known width (value over gradient). Scenes differ by
the offset at which they read the one infinite field.
"""

import math

import numpy as np

from endoalign.world.renderer.compiled import compiled
from endoalign.world.renderer.vectors import Vector


@compiled
def _hash(i: int, j: int, k: int) -> np.uint32:
    h = np.uint32(i) * np.uint32(0x8DA6B343)
    h ^= np.uint32(j) * np.uint32(0xD8163841)
    h ^= np.uint32(k) * np.uint32(0xCB1AB31F)
    h ^= h >> np.uint32(15)
    h *= np.uint32(0x2C1B3C6D)
    h ^= h >> np.uint32(12)
    h *= np.uint32(0x297A2D39)
    h ^= h >> np.uint32(15)
    return np.uint32(h)


@compiled
def _gradient(i: int, j: int, k: int) -> Vector:
    h = _hash(i, j, k)
    x = float(h & np.uint32(1023)) * (2.0 / 1023.0) - 1.0
    y = float((h >> np.uint32(10)) & np.uint32(1023)) * (2.0 / 1023.0) - 1.0
    z = float((h >> np.uint32(20)) & np.uint32(1023)) * (2.0 / 1023.0) - 1.0
    return x, y, z


@compiled
def gradient_noise(point: Vector) -> tuple[float, Vector]:
    """Noise value (about -0.8 to 0.8) and its gradient (per unit of the coordinates)."""
    x, y, z = point
    i, j, k = math.floor(x), math.floor(y), math.floor(z)
    fx, fy, fz = x - i, y - j, z - k
    i, j, k = int(i), int(j), int(k)
    u = fx * fx * fx * (fx * (fx * 6.0 - 15.0) + 10.0)
    v = fy * fy * fy * (fy * (fy * 6.0 - 15.0) + 10.0)
    w = fz * fz * fz * (fz * (fz * 6.0 - 15.0) + 10.0)
    du = 30.0 * fx * fx * (fx - 1.0) * (fx - 1.0)
    dv = 30.0 * fy * fy * (fy - 1.0) * (fy - 1.0)
    dw = 30.0 * fz * fz * (fz - 1.0) * (fz - 1.0)
    value, gx, gy, gz = 0.0, 0.0, 0.0, 0.0
    for a in range(2):
        wa, da = (u, du) if a else (1.0 - u, -du)
        for b in range(2):
            wb, db = (v, dv) if b else (1.0 - v, -dv)
            for c in range(2):
                wc, dc = (w, dw) if c else (1.0 - w, -dw)
                px, py, pz = _gradient(i + a, j + b, k + c)
                corner = px * (fx - a) + py * (fy - b) + pz * (fz - c)
                weight = wa * wb * wc
                value += weight * corner
                gx += weight * px + da * wb * wc * corner
                gy += weight * py + wa * db * wc * corner
                gz += weight * pz + wa * wb * dc * corner
    return value, (gx, gy, gz)


@compiled
def value_noise(point: Vector) -> float:
    """Cheap smooth noise in -1 to 1, for shapes that are evaluated at every marching step."""
    x, y, z = point
    i, j, k = math.floor(x), math.floor(y), math.floor(z)
    fx, fy, fz = x - i, y - j, z - k
    i, j, k = int(i), int(j), int(k)
    fx = fx * fx * (3.0 - 2.0 * fx)
    fy = fy * fy * (3.0 - 2.0 * fy)
    fz = fz * fz * (3.0 - 2.0 * fz)
    total = 0.0
    for a in range(2):
        wa = fx if a else 1.0 - fx
        for b in range(2):
            wb = wa * (fy if b else 1.0 - fy)
            low = float(_hash(i + a, j + b, k)) * (2.0 / 4294967295.0) - 1.0
            high = float(_hash(i + a, j + b, k + 1)) * (2.0 / 4294967295.0) - 1.0
            total += wb * (low + (high - low) * fz)
    return total


@compiled
def cell_noise(point: Vector) -> tuple[float, Vector]:
    """Squared distance to the nearest jittered lattice point, and the vector away from it."""
    x, y, z = point
    i0, j0, k0 = math.floor(x), math.floor(y), math.floor(z)
    best, bx, by, bz = 9.0, 0.0, 0.0, 0.0
    for a in range(-1, 2):
        for b in range(-1, 2):
            for c in range(-1, 2):
                px, py, pz = _gradient(int(i0) + a, int(j0) + b, int(k0) + c)
                dx = x - (i0 + a + 0.5 + 0.35 * px)
                dy = y - (j0 + b + 0.5 + 0.35 * py)
                dz = z - (k0 + c + 0.5 + 0.35 * pz)
                d = dx * dx + dy * dy + dz * dz
                if d < best:
                    best, bx, by, bz = d, dx, dy, dz
    return best, (bx, by, bz)


@compiled
def cell_edge(point: Vector) -> tuple[float, Vector]:
    """Distance to the border between the two nearest jittered lattice points, and its normal.

    The distance is about 0 to 0.5; the normal is the unit vector from one point to the other.
    """
    x, y, z = point
    i0, j0, k0 = math.floor(x), math.floor(y), math.floor(z)
    first, second = 9.0, 9.0
    ax, ay, az, bx, by, bz = 0.0, 0.0, 0.0, 1.0, 0.0, 0.0
    for a in range(-1, 2):
        for b in range(-1, 2):
            for c in range(-1, 2):
                px, py, pz = _gradient(int(i0) + a, int(j0) + b, int(k0) + c)
                dx = x - (i0 + a + 0.5 + 0.45 * px)
                dy = y - (j0 + b + 0.5 + 0.45 * py)
                dz = z - (k0 + c + 0.5 + 0.45 * pz)
                d = dx * dx + dy * dy + dz * dz
                if d < first:
                    second, bx, by, bz = first, ax, ay, az
                    first, ax, ay, az = d, dx, dy, dz
                elif d < second:
                    second, bx, by, bz = d, dx, dy, dz
    gap = math.sqrt((ax - bx) ** 2 + (ay - by) ** 2 + (az - bz) ** 2) + 1e-9
    return 0.5 * (second - first) / gap, ((ax - bx) / gap, (ay - by) / gap, (az - bz) / gap)
