"""Where a processor's frame shows the lens: the content area on black."""

import functools

import numpy as np
import numpy.typing as npt

from endoalign.world.renderer.processors import Processor


def frame_width(processor: Processor, height: int) -> int:
    """Width in pixels of a frame of ``height`` pixels."""
    return max(8, round(height * processor.aspect))


@functools.lru_cache(maxsize=64)
def content_area(processor: Processor, height: int) -> npt.NDArray[np.bool_]:
    """True content area, (height, width) bool; without overlays.

    ``ValueError`` for a shape other than octagon, round, rounded or full.
    """
    width = frame_width(processor, height)
    x = np.abs((np.arange(width) + 0.5) / height - 0.5 * width / height)[None, :]
    y = np.abs((np.arange(height) + 0.5) / height - 0.5)[:, None]
    half = 0.5 * width / height - processor.margin
    inside = (x <= half) & (y <= 0.5)
    if processor.shape == "octagon":
        inside &= (half - x) + (0.5 - y) >= processor.cut
    elif processor.shape == "round":
        inside &= x**2 + y**2 <= min(half, 0.56) ** 2
    elif processor.shape == "rounded":
        corner_x = np.maximum(x - (half - processor.cut), 0.0)
        corner_y = np.maximum(y - (0.5 - processor.cut), 0.0)
        inside &= corner_x**2 + corner_y**2 <= processor.cut**2
    elif processor.shape != "full":
        raise ValueError(
            f"processor {processor.name}: content shape {processor.shape!r} is unknown; "
            "use octagon, round, rounded or full"
        )
    inside.setflags(write=False)
    return inside
