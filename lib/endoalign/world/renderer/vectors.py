"""Three-vectors as plain tuples, which the compiler keeps in registers."""

import math

from endoalign.world.renderer.compiled import compiled

Vector = tuple[float, float, float]


@compiled
def dot(a: Vector, b: Vector) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@compiled
def ahead(start: Vector, direction: Vector, t: float) -> Vector:
    """Point ``t`` along a direction."""
    return (
        start[0] + t * direction[0],
        start[1] + t * direction[1],
        start[2] + t * direction[2],
    )


@compiled
def minus(a: Vector, b: Vector) -> Vector:
    """Difference ``a - b``."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@compiled
def scaled(a: Vector, factor: float) -> Vector:
    """Vector times a number."""
    return a[0] * factor, a[1] * factor, a[2] * factor


@compiled
def unit(a: Vector) -> Vector:
    """Vector of length 1 in the same direction."""
    return scaled(a, 1.0 / (math.sqrt(dot(a, a)) + 1e-12))


@compiled
def blend(a: Vector, b: Vector, share: float) -> Vector:
    """Linear blend from ``a`` to ``b``."""
    return (
        a[0] + (b[0] - a[0]) * share,
        a[1] + (b[1] - a[1]) * share,
        a[2] + (b[2] - a[2]) * share,
    )


@compiled
def times(a: Vector, b: Vector) -> Vector:
    """Product by component: colour of a surface under a coloured light."""
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


@compiled
def smooth_step(low: float, high: float, x: float) -> float:
    """Cubic step from 0 at ``low`` to 1 at ``high``."""
    h = min(max((x - low) / (high - low), 0.0), 1.0)
    return h * h * (3.0 - 2.0 * h)
