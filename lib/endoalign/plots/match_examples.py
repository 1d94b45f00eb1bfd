"""Sentences beside the frames that score best for them, straight from a corpus's tables."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from endoalign.corpus.manifest import frame_path
from endoalign.frames.decode import decode
from endoalign.plots.chosen_frames import ShownFrame, chosen_frames

MIN_SIDE = 160
"""Frames are decoded at a reduced size whose shorter side is at least so long (pixels)."""


def match_examples(
    folder: Path,
    frames: pd.DataFrame,
    ranked: pd.DataFrame,
    chosen: Mapping[str, str],
    right: pd.Series | None = None,
    *,
    columns: int = 6,
) -> Figure:
    """Draw a row a sentence: its best frames, which one was chosen, and which are right.

    Args:
        folder: the corpus folder.
        frames: frames table, ``frame_id``, ``path``.
        ranked: ``finding_id``, ``text``, ``frame_id``, ``score``; the sentences in their order.
        chosen: finding -> the frame chosen for it.
        right: whether each row's frame shows its finding; None where it is not known.
        columns: frames a sentence.

    Raises:
        ValueError: no sentences.
        FrameError: a frame that cannot be read any more.
    """
    paths = frames.set_index("frame_id")["path"]
    known = right if right is not None else pd.Series(None, index=ranked.index, dtype=object)
    table = ranked.assign(right=known.astype(object))
    rows = []
    for finding, group in table.groupby("finding_id", sort=False):
        best = group.nlargest(columns, "score")
        shown = [
            ShownFrame(
                decode(frame_path(folder, str(paths[frame])), min_side=MIN_SIDE),
                float(score),
                None if fits is None else bool(fits),
                chosen.get(str(finding)) == frame,
            )
            for frame, score, fits in zip(
                best["frame_id"], best["score"], best["right"], strict=True
            )
        ]
        rows.append((str(group["text"].iloc[0]), shown))
    return chosen_frames(rows)
