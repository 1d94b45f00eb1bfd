"""Frames as a real MP4 (H.264), by PyAV."""

import os
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

QUALITY = "18"
"""Constant rate factor of H.264: visually lossless."""


def write_mp4(frames: NDArray[np.uint8], path: Path, *, fps: int = 25) -> None:
    """Write a video; the file appears whole, and is the same for the same frames.

    Its index comes first, as in files that are served from the web: cut off, it still plays.

    Args:
        frames: RGB, uint8 (n, H, W, 3); n at least 1, H and W even (H.264 halves the colours).
        path: ending in .mp4.
        fps: frames a second.

    Raises:
        ValueError: frames of another type or shape.
    """
    if frames.dtype != np.uint8 or frames.ndim != 4 or frames.shape[-1] != 3 or not len(frames):
        raise ValueError(f"frames are {frames.dtype} {frames.shape}, not uint8 (n, H, W, 3)")
    height, width = frames.shape[1:3]
    if height % 2 or width % 2:
        raise ValueError(f"frames of {width} x {height} pixels: H.264 needs even sides")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    options = {"movflags": "+faststart"}
    with av.open(str(temporary), "w", format="mp4", container_options=options) as container:
        stream = container.add_stream("libx264", rate=fps, options={"crf": QUALITY, "threads": "1"})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for frame in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(frame, format="rgb24")))
        container.mux(stream.encode())
    temporary.replace(path)
