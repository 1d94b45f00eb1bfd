"""The scopes of the simulated ENT clinics: what each makes of the same light.

Rigid scopes show a circle on black, flexible video scopes a rounded or eight-sided field. The
names are invented. None is tied to a class, so that a device tells nothing about the side.
"""

from typing import Final

from endoalign.world.renderer.processors import Processor

_ASPECT: Final = 4.0 / 3.0  # 640 x 480


def _rigid(
    name: str,
    margin: float,
    wide: float,
    gain: tuple[float, float, float],
    looks: tuple[float, float, float, float, float, float, float],
    text: str | None = None,
) -> Processor:
    """A rigid scope: its circle leaves ``margin`` of the height black at the left and right."""
    return _scope(name, "round", margin, 0.0, wide, gain, looks, text)


def _scope(
    name: str,
    shape: str,
    margin: float,
    cut: float,
    wide: float,
    gain: tuple[float, float, float],
    looks: tuple[float, float, float, float, float, float, float],
    text: str | None,
) -> Processor:
    saturation, gamma, contrast, sharpen, softness, detail, noise = looks
    return Processor(
        name=name,
        aspect=_ASPECT,
        shape=shape,
        margin=margin,
        cut=cut,
        half_view=wide,
        gain=gain,
        saturation=saturation,
        gamma=gamma,
        contrast=contrast,
        sharpen=sharpen,
        softness=softness,
        detail=detail,
        noise=noise,
        text=text,
        vignette=0.3,
    )


DEVICES: Final[dict[str, Processor]] = {
    device.name: device
    for device in (
        _rigid("rigid_a", 0.18, 1.0, (1.0, 1.0, 1.0), (1.2, 2.2, 1.1, 0.7, 0.003, 1.0, 0.008)),
        _rigid(
            "rigid_b",
            0.22,
            1.05,
            (1.06, 0.98, 0.9),
            (1.3, 2.1, 1.05, 0.3, 0.006, 0.8, 0.014),
            "left",
        ),
        _rigid("rigid_c", 0.14, 0.95, (0.95, 1.0, 1.07), (1.05, 2.3, 1.2, 1.2, 0.002, 1.0, 0.006)),
        _rigid(
            "rigid_d",
            0.26,
            1.1,
            (1.02, 1.02, 0.95),
            (1.15, 2.0, 1.0, 0.2, 0.006, 0.75, 0.02),
            "right",
        ),
        _scope(
            "video_a",
            "octagon",
            0.09,
            0.2,
            1.05,
            (1.08, 0.96, 0.94),
            (1.35, 2.2, 1.15, 0.9, 0.003, 0.9, 0.01),
            "left",
        ),
        _scope(
            "video_b",
            "rounded",
            0.1,
            0.14,
            1.1,
            (0.98, 1.03, 1.03),
            (1.1, 2.3, 1.1, 0.5, 0.005, 0.85, 0.012),
            "top",
        ),
        _scope(
            "video_c",
            "rounded",
            0.0,
            0.02,
            1.0,
            (1.03, 1.0, 1.0),
            (1.2, 2.15, 1.05, 0.3, 0.005, 0.8, 0.016),
            None,
        ),
    )
}
"""Every scope by its name; ``half_view`` is relative to the usual angle of the site."""

RIGID: Final = tuple(name for name, device in DEVICES.items() if device.shape == "round")
"""The rigid scopes, with which ears are examined."""
