"""Scores of a corpus's frames under the checkpoint of a system, made or taken from the disk."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from endoalign.models.checkpoint import load_encoder
from endoalign.models.frame_input import open_input
from endoalign.models.placement import placed
from endoalign.recovery.score_store import load_scores
from endoalign.recovery.scoring import score_frames


@dataclass(frozen=True)
class CheckpointScorer:
    """Scores frames under systems that lie side by side in one folder.

    Attributes:
        checkpoints: folder of the systems' checkpoints; scores go to ``scores/`` in it.
        corpus: the corpus folder.
        frames: its whole frames table.
        cache: ``.npy`` file of what encoders take of each frame; None decodes frames each time.
        crop_content: crop frames to their content area.
        batch_size: frames a forward pass.
    """

    checkpoints: Path
    corpus: Path
    frames: pd.DataFrame
    cache: Path | None = None
    crop_content: bool = True
    batch_size: int = 256

    def __call__(
        self,
        system: str,
        queries: pd.DataFrame,
        name: str,
        progress: Callable[[int, int], None] | None = None,
    ) -> pd.DataFrame:
        """Return the scores of ``queries`` (`queries.QUERIES`) under ``system``.

        Args:
            name: what is asked; the scores are kept in ``scores/SYSTEM_NAME``.
            progress: called with (frames done, frames in all).

        Returns:
            ``frame_id``, ``case_id``, ``query``, ``score``: cosine similarities.

        Raises:
            CorpusError: the queries are unfit, or a frame cannot be read or scored.
            WeightsError: the system has no sound checkpoint.
        """
        encoder = placed(load_encoder(self.checkpoints / system))
        pixels = open_input(
            encoder,
            self.corpus,
            self.frames,
            crop_content=self.crop_content,
            cache=self.cache,
        )
        folder = self.checkpoints / "scores" / f"{system}_{name}"
        score_frames(
            encoder,
            self.frames,
            pixels,
            queries,
            folder,
            batch_size=self.batch_size,
            progress=progress,
        )
        return load_scores(folder)
