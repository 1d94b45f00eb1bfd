"""Contact sheet of frames of a corpus, straight from its tables."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from endoalign.corpus.manifest import frame_path
from endoalign.frames.content_area import content_area
from endoalign.frames.decode import decode
from endoalign.plots.contact_sheet import contact_sheet

MIN_SIDE = 160
"""Frames are decoded at a reduced size whose shorter side is at least so long (pixels)."""


def frame_sheet(
    folder: Path,
    frames: pd.DataFrame,
    captions: Sequence[str] | None = None,
    *,
    masks: Sequence[Path] | None = None,
    outline_content: bool = False,
    columns: int = 8,
) -> Figure:
    """Draw the frames of a table in its order.

    Args:
        folder: the corpus folder.
        frames: rows of the table of frames; at least one.
        captions: a line under each frame.
        masks: the file of a mask for each frame, outlined where it is above 0.
        outline_content: outline the content area that is found in each frame instead.
        columns: frames a row.

    Raises:
        ValueError: no frames, or lists of another length than the table.
        FrameError: a frame that cannot be read any more.
    """
    pictures = [decode(frame_path(folder, path), min_side=MIN_SIDE) for path in frames["path"]]
    outlines: list[np.ndarray | None] | None = None
    if masks is not None:
        outlines = [decode(path, min_side=MIN_SIDE).max(axis=2) for path in masks]
    elif outline_content:
        outlines = [content_area(picture).mask for picture in pictures]
    return contact_sheet(pictures, captions, masks=outlines, columns=columns)
