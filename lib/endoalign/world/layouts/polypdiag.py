"""Clips as PolypDiag: MP4 videos, each with or without a polyp, and two lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from endoalign.world.layouts.ids import uuids
from endoalign.world.layouts.mp4 import write_mp4
from endoalign.world.layouts.pictures import write_lines

VAL_SHARE: Final = 0.36
"""About 90 of the published 253 videos."""


@dataclass(frozen=True)
class LabelledClip:
    """A clip: RGB frames, uint8 (n, H, W, 3) with even sides, and whether it shows a polyp."""

    frames: NDArray[np.uint8]
    polyp: bool


def write(clips: Sequence[LabelledClip], folder: Path, *, seed: int, fps: int = 25) -> list[str]:
    """Write clips under ``folder``; return the names of the videos, without ending.

    ``val.txt`` has about a third of those with and of those without a polyp. Lines are
    ``NAME.mp4,1`` (a polyp) or ``NAME.mp4,0``.

    Raises:
        ValueError: frames that H.264 cannot hold.
    """
    rng = np.random.default_rng([seed, 0x9D])
    names = uuids(len(clips), rng)
    for name, clip in zip(names, clips, strict=True):
        write_mp4(clip.frames, folder / "videos" / f"{name}.mp4", fps=fps)
    held_out: set[int] = set()
    for polyp in (False, True):
        places = rng.permutation([k for k, clip in enumerate(clips) if clip.polyp == polyp])
        held_out |= {int(k) for k in places[: round(VAL_SHARE * len(places))]}
    lines = [f"{name}.mp4,{int(clip.polyp)}" for name, clip in zip(names, clips, strict=True)]
    for part in ("train", "val"):
        rows = [line for k, line in enumerate(lines) if (k in held_out) == (part == "val")]
        write_lines(rows, folder / "splits" / f"{part}.txt")
    return names
