"""The pairs of a training: which frames, which texts, and which frames make up one bag."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
import pandera.pandas as pa
from numpy.typing import NDArray

from endoalign.corpus.columns import pattern, text
from endoalign.corpus.files import read_parquet
from endoalign.corpus.validation import CorpusError, validated

COLUMNS: Final = pa.DataFrameSchema(
    {
        "frame_id": text("id of a frame"),
        "finding_id": text("id of the finding, empty where the text is a prompt", nullable=True),
        "text": pattern("a text that is not blank", r"(?s:.*\S.*)"),
    },
    strict=True,
    coerce=True,
)
"""What training reads of a table of pairs; its other columns are passed over."""


@dataclass(frozen=True)
class TrainingPairs:
    """n pairs, t distinct texts, b bags.

    Attributes:
        rows: (n,) row of the frames table.
        text_ids: (n,) place in ``texts``.
        texts: distinct texts, sorted.
        bags: (n,) bag of each pair, 0 to b - 1: pairs of one finding (of one text where there is
            no finding) and one text.
    """

    rows: NDArray[np.int64]
    text_ids: NDArray[np.int64]
    texts: list[str]
    bags: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rows)


def read_training_pairs(path: Path, frames: pd.DataFrame) -> TrainingPairs:
    """Read pairs and find their frames.

    Args:
        path: Parquet file with the columns of `COLUMNS`, and any others.
        frames: frames table of the corpus.

    Raises:
        CorpusError: the file is missing, damaged, empty or unfit, or names a frame that the
            corpus does not have.
    """
    table = read_parquet(path, "the notebooks of recovery (02 to 04) make the pairs")
    known = [name for name in COLUMNS.columns if name in table]
    table = validated(table[known], COLUMNS, path.name)
    if table.empty:
        raise CorpusError(f"{path} holds no pair: nothing to train on")
    places = pd.Index(frames["frame_id"]).get_indexer(pd.Index(table["frame_id"]))
    if (places < 0).any():
        row = int(np.flatnonzero(places < 0)[0])
        raise CorpusError(
            f"{path.name}: column 'frame_id', row {row}: {table['frame_id'].iloc[row]!r} is no "
            "frame of the corpus's frames.parquet; make the pairs from this corpus"
        )
    text_ids, texts = pd.factorize(table["text"], sort=True)
    bags = table.groupby(["finding_id", "text"], dropna=False, sort=False).ngroup()
    return TrainingPairs(
        np.asarray(places, dtype=np.int64),
        np.asarray(text_ids, dtype=np.int64),
        [str(text) for text in texts],
        np.asarray(bags, dtype=np.int64),
    )
