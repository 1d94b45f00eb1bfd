"""What lies on the lens or is burnt into the picture: bubbles and large text.

The other distractors belong to the scene (fluid, stool, instrument, wall contact) or to the camera
chain (blur, motion blur, overexposure); see `stage`.
"""

import numpy as np
import numpy.typing as npt

from endoalign.world.renderer.overlays import draw_text

Pixels = npt.NDArray[np.uint8]


def draw_bubbles(frame: Pixels, content: npt.NDArray[np.bool_], rng: np.random.Generator) -> Pixels:
    """Frame (H, W, 3) with clusters of foam: bright rings with a lit spot, inside ``content``."""
    height, width = content.shape
    picture = frame.astype(np.float32) / 255.0
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    rows, columns = (rows + 0.5) / height, (columns + 0.5) / height
    soft = 1.0 / height
    for _ in range(int(rng.integers(3, 7))):
        middle = rng.uniform(0.15, 0.85, 2) * (width / height, 1.0)
        for _ in range(int(rng.integers(6, 16))):
            x, y = middle + rng.normal(0, 0.07, 2)
            radius = float(np.exp(rng.uniform(np.log(0.012), np.log(0.07))))
            away = np.hypot(columns - x, rows - y)
            ring = np.exp(-(((away - radius) / (0.16 * radius + 0.5 * soft)) ** 2))
            inner = np.clip((radius - away) / soft, 0.0, 1.0)
            spot = np.exp(
                -((columns - x + 0.4 * radius) ** 2 + (rows - y + 0.4 * radius) ** 2)
                / (0.2 * radius + 0.6 * soft) ** 2
            )
            light = 0.3 * ring + 0.8 * spot * inner - 0.08 * inner
            picture += light[..., None] * np.array([1.0, 0.97, 0.9], np.float32)
    picture[~content] = 0.0
    return (np.clip(picture, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)


def draw_distractor(
    frame: Pixels, content: npt.NDArray[np.bool_], distractor: str | None, seed: int
) -> Pixels:
    """Frame with the distractor where it is one of the picture; else the frame itself."""
    rng = np.random.default_rng([seed & 0xFFFFFFFF, 0xD44])
    if distractor == "bubbles":
        return draw_bubbles(frame, content, rng)
    if distractor == "text":
        for place in ("left", "top", "right"):
            frame = draw_text(frame, place, rng.uniform(0.05, 0.08), rng)
    return frame
