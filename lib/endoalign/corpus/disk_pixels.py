"""Pictures of frames, decoded from their files at each read."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor

from endoalign.corpus.manifest import frame_path
from endoalign.corpus.picture import Edges, load_picture
from endoalign.corpus.validation import CorpusError
from endoalign.frames.decode import FrameError

Rows = Sequence[int] | NDArray[np.int64]


class DiskPixels:
    """Pictures decoded from the frames' files at each read, by a few threads.

    Args:
        folder: the corpus folder.
        frames: frames table; ``frame_id``, ``path``, ``width``, ``height`` and the box are read.
        size: side of the pictures, pixels.
        crop_content: crop to the content box before squashing.
        threads: threads that decode at once.
    """

    def __init__(
        self,
        folder: Path,
        frames: pd.DataFrame,
        size: int,
        *,
        crop_content: bool = True,
        threads: int = 2,
    ) -> None:
        if size < 1 or threads < 1:
            raise ValueError(f"size and threads must be at least 1, got {size} and {threads}")
        self.size = size
        self._folder = folder
        self._ids: list[str] = frames["frame_id"].tolist()
        self._paths: list[str] = frames["path"].tolist()
        self._sizes = frames[["width", "height"]].to_numpy(np.int64)
        edges = ["box_left", "box_top", "box_right", "box_bottom"]
        self._boxes = frames[edges].to_numpy(np.int64) if crop_content else None
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="decode")

    def __len__(self) -> int:
        return len(self._ids)

    def read(self, rows: Rows) -> Tensor:
        """Decode these rows; uint8 (n, 3, size, size).

        Raises:
            CorpusError: a frame cannot be read; names its id and file.
        """
        wanted = np.asarray(rows, dtype=np.int64).tolist()
        pictures = np.empty((len(wanted), 3, self.size, self.size), dtype=np.uint8)
        for place, picture in enumerate(self._pool.map(self._picture, wanted)):
            pictures[place] = picture.transpose(2, 0, 1)
        return torch.from_numpy(pictures)

    def _picture(self, row: int) -> NDArray[np.uint8]:
        path = frame_path(self._folder, self._paths[row])
        width, height = self._sizes[row].tolist()
        box: Edges | None = None
        if self._boxes is not None:
            left, top, right, bottom = self._boxes[row].tolist()
            box = left, top, right, bottom
        try:
            return load_picture(path, box, self.size, frame_size=(width, height))
        except FrameError as error:
            raise CorpusError(
                f"frame {self._ids[row]!r} cannot be read from {path}: {error}; ingest the corpus "
                "again (notebook 00_corpus), which leaves such frames out"
            ) from error
