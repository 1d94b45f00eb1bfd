"""Smooth union of two distances."""

from endoalign.world.renderer.compiled import inlined


@inlined
def smooth_min(a: float, b: float, k: float) -> float:
    """Union of two distances that rounds the crease over about ``k`` cm."""
    h = max(k - abs(a - b), 0.0)
    return min(a, b) - h * h * 0.25 / k
