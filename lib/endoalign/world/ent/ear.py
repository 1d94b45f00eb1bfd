"""A right ear: the canal, the drum with the handle of the malleus, its cone of light, findings.

Seen through the canal of a right ear, anterior is on the right: the handle runs from the umbo up
to about 1 o'clock, and the cone of light lies at about 5 o'clock (left ear: 11 and 7 o'clock).
"""

from typing import Final, NamedTuple

import numpy as np

WAX_LUMPS: Final = 3


class Ear(NamedTuple):
    """Geometry and looks of one right ear; lengths in radii of the drum."""

    depth: float  # from the camera's zero to the middle of the drum
    tilt_x: float  # the anterior drum lies deeper
    tilt_y: float  # the inferior drum lies deeper
    cone: float  # depth of the umbo
    bulge: float  # of an inflamed drum
    umbo_x: float
    umbo_y: float
    process_x: float  # short process of the malleus, the upper end of its handle
    process_y: float
    handle: float  # height of the handle's ridge
    handle_show: float  # how pale the handle is against the drum
    bend_x: float
    bend_y: float
    flare: float
    overhang: float  # bulge of the anterior canal wall
    light: float  # strength of the cone of light, 0 where it is not seen
    light_angle: float  # radians from the image's right
    light_width: float
    red: float  # 0 to 1, inflammation
    canal_red: float
    drum_red: float
    drum_green: float
    drum_blue: float
    skin_red: float
    skin_green: float
    skin_blue: float
    amber: float  # 0 to 1, effusion behind the drum
    level: float  # height of the fluid level
    level_tilt: float
    bubble_x: float
    bubble_y: float
    bubble: float  # radius, 0 for none
    hole_x: float
    hole_y: float
    hole: float  # radius of a perforation, 0 for none
    wax_ax: float
    wax_ay: float
    wax_az: float
    wax_a: float  # radius of a lump of cerumen, 0 for none
    wax_bx: float
    wax_by: float
    wax_bz: float
    wax_b: float
    wax_cx: float
    wax_cy: float
    wax_cz: float
    wax_c: float
    wax_dark: float
    noise: float  # where this ear reads the noise field


def cone_seen(findings: tuple[str, ...], severity: float) -> bool:
    """Whether an ear shows its cone of light: not on an inflamed drum or before much fluid."""
    return "redness" not in findings and not ("effusion" in findings and severity > 0.3)


def sample_ear(rng: np.random.Generator, findings: tuple[str, ...], severity: float) -> Ear:
    """Draw a right ear that shows ``findings`` at a ``severity`` from 0 to 1."""
    inflamed = "redness" in findings
    effusion = "effusion" in findings
    umbo_x, umbo_y = rng.uniform(-0.02, 0.1), rng.uniform(-0.15, -0.02)
    lean = np.radians(rng.uniform(52, 68))
    length = rng.uniform(0.62, 0.74)
    grey = rng.uniform(0.9, 1.1)
    skin = rng.uniform(0.9, 1.1)
    red = (0.55 + 0.4 * severity) if inflamed else 0.0
    bulge = (0.12 + 0.2 * severity) if inflamed else 0.0
    hole_at = np.radians(rng.choice([-125, -70, -150, -40]) + rng.uniform(-15, 15))
    hole = (0.17 + 0.22 * severity) if "perforation" in findings else 0.0
    hole_out = rng.uniform(0.42, 0.55)
    ear = Ear(
        depth=rng.uniform(1.55, 1.85),
        tilt_x=rng.uniform(0.15, 0.35),
        tilt_y=rng.uniform(0.15, 0.4),
        cone=0.05 if inflamed else rng.uniform(0.2, 0.32),
        bulge=bulge,
        umbo_x=umbo_x,
        umbo_y=umbo_y,
        process_x=umbo_x + length * np.cos(lean),
        process_y=umbo_y + length * np.sin(lean),
        handle=rng.uniform(0.06, 0.09) * (0.6 if inflamed else 1.0),
        handle_show=rng.uniform(0.8, 1.0) * (0.65 if inflamed else 1.0),
        bend_x=rng.normal(0, 0.05),
        bend_y=rng.normal(0.04, 0.05),
        flare=rng.uniform(0.02, 0.12),
        overhang=rng.uniform(0.1, 0.26),
        light=rng.uniform(0.9, 1.3) if cone_seen(findings, severity) else 0.0,
        light_angle=np.radians(-60 + rng.normal(0, 6)),
        light_width=rng.uniform(0.14, 0.24),
        red=red,
        canal_red=0.6 * red if inflamed and rng.random() < 0.7 else 0.0,
        drum_red=0.66 * grey * rng.uniform(0.96, 1.04),
        drum_green=0.6 * grey * rng.uniform(0.97, 1.03),
        drum_blue=0.55 * grey * rng.uniform(0.92, 1.1),
        skin_red=0.84 * skin,
        skin_green=0.58 * skin * rng.uniform(0.93, 1.07),
        skin_blue=0.47 * skin * rng.uniform(0.9, 1.15),
        amber=(0.6 + 0.35 * severity) if effusion else 0.0,
        level=-0.25 + 0.6 * severity,
        level_tilt=rng.normal(0, 0.1),
        bubble_x=rng.uniform(-0.45, 0.4),
        bubble_y=-0.4 + 0.6 * severity,
        bubble=rng.uniform(0.1, 0.16) if effusion and rng.random() < 0.7 else 0.0,
        hole_x=hole_out * np.cos(hole_at),
        hole_y=hole_out * np.sin(hole_at),
        hole=hole,
        **dict.fromkeys((f"wax_{k}{axis}" for k in "abc" for axis in ("", "x", "y", "z")), 0.0),
        wax_dark=rng.uniform(0, 1),
        noise=rng.uniform(0, 400),
    )
    return _with_wax(ear, rng, severity) if "cerumen" in findings else ear


def _with_wax(ear: Ear, rng: np.random.Generator, severity: float) -> Ear:
    """The ear with lumps of cerumen on the wall of its canal, below more often than above."""
    values: dict[str, float] = {}
    start = np.radians(rng.uniform(180, 360))
    for k, letter in enumerate("abc"):
        angle = start + k * rng.uniform(0.4, 0.9)
        radius = rng.uniform(0.24, 0.36) + 0.14 * severity
        out = 1.04 - 0.55 * radius
        values |= {
            f"wax_{letter}x": out * np.cos(angle),
            f"wax_{letter}y": out * np.sin(angle),
            f"wax_{letter}z": ear.depth - rng.uniform(0.45, 0.75),
            f"wax_{letter}": radius,
        }
    return ear._replace(**values)
