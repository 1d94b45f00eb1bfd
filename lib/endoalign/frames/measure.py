"""Everything the corpus keeps about one frame, measured in one pass over its bytes."""

from dataclasses import dataclass
from typing import Final

from endoalign.frames.box import Box
from endoalign.frames.content_area import content_area
from endoalign.frames.decode import MAX_PIXELS, decode_frame
from endoalign.frames.hashing import phash, phash_text, sha256_of
from endoalign.frames.quality import Quality, measure_quality

MEASURED_SIDE: Final = 256
"""Frames are decoded no smaller than this on the shorter side: enough for all measures."""


@dataclass(frozen=True)
class FrameMeasures:
    """``width``, ``height`` and ``box`` in pixels of the full frame, upright."""

    width: int
    height: int
    sha256: str
    phash: str
    quality: Quality
    box: Box


def measure_frame(data: bytes, max_pixels: int = MAX_PIXELS) -> FrameMeasures:
    """Measure a frame from its file's bytes; raises `FrameError` where they cannot be decoded."""
    frame = decode_frame(data, min_side=MEASURED_SIDE, max_pixels=max_pixels)
    area = content_area(frame.rgb)
    pixels, mask = area.box.crop(frame.rgb), area.box.crop(area.mask)
    height, width = frame.rgb.shape[:2]
    return FrameMeasures(
        width=frame.width,
        height=frame.height,
        sha256=sha256_of(data),
        phash=phash_text(phash(pixels, mask)),
        quality=measure_quality(pixels, mask),
        box=area.box.rescaled((width, height), (frame.width, frame.height)),
    )
