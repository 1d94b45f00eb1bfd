"""The scores of one block of frames against the queries that concern them."""

import numpy as np
import pandas as pd
import pyarrow as pa
import torch
from numpy.typing import NDArray
from torch import Tensor

from endoalign.corpus.validation import CorpusError
from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.encode import encode_texts
from endoalign.recovery.queries import QueryIndex
from endoalign.recovery.score_store import SCHEMA

Rows = NDArray[np.int64]


class BlockScorer:
    """Scores blocks of frames; texts of all cases are encoded once, those of a case a block."""

    def __init__(self, encoder: DualEncoder, layout: QueryIndex, frames: pd.DataFrame) -> None:
        """``layout`` holds the queries, laid out for the table ``frames``."""
        self.encoder = encoder
        self.layout = layout
        self._frames = frames[["frame_id", "case_id"]]
        names = [*layout.everywhere["query"], *layout.own["query"]]
        self._names = pa.array(names, pa.string())
        self._everywhere: Tensor | None = None

    def table(self, features: Tensor, rows: Rows) -> pa.Table:
        """Return the scores of a block, columns as in `score_store.SCHEMA`.

        Args:
            features: (b, d), of unit norm.
            rows: (b,) rows of the frames table.

        Raises:
            CorpusError: a score is not finite; the message names the frame and the query.
        """
        places, queries, scores = self._scores(features, rows)
        order = np.argsort(places, kind="stable")  # all-case queries first within a frame
        places, queries, scores = places[order], queries[order], scores[order]
        block = self._frames.iloc[rows]
        columns = [pa.array(block[name].to_numpy(object), pa.string()) for name in block]
        taken = [column.take(pa.array(places)) for column in columns]
        names = self._names.take(pa.array(queries))
        table = pa.table([*taken, names, pa.array(scores, pa.float32())], schema=SCHEMA)
        self._check(table, scores)
        return table

    def _scores(self, features: Tensor, rows: Rows) -> tuple[Rows, Rows, NDArray[np.float32]]:
        """Place in the block, index of the query and score of every pair."""
        shared = len(self.layout.everywhere)
        blocks, size = [], len(rows)
        places = np.repeat(np.arange(size, dtype=np.int64), shared)
        queries = np.tile(np.arange(shared, dtype=np.int64), size)
        if shared:
            if self._everywhere is None:
                self._everywhere = self._encode(self.layout.everywhere["text"], features)
            blocks.append((features @ self._everywhere.T).flatten())
        own_places, own = self.layout.own_of(rows)
        if len(own):
            used, which = np.unique(own, return_inverse=True)
            texts = self._encode(self.layout.own["text"].iloc[used], features)
            left = torch.from_numpy(own_places).to(features.device)
            right = torch.from_numpy(which).to(features.device)
            blocks.append((features[left] * texts[right]).sum(dim=1))
        scores = torch.cat(blocks).float().cpu().numpy()
        return (
            np.concatenate([places, own_places]),
            np.concatenate([queries, own + shared]),
            scores,
        )

    def _encode(self, texts: pd.Series, like: Tensor) -> Tensor:
        """Encode texts, each different one once: (n, d) where ``like`` lies."""
        codes, different = pd.factorize(texts)
        encoded: Tensor = encode_texts(self.encoder, list(different)).to(like)
        return encoded[torch.from_numpy(codes).to(like.device)]

    def _check(self, table: pa.Table, scores: NDArray[np.float32]) -> None:
        broken = np.flatnonzero(~np.isfinite(scores))
        if len(broken):
            row = table.slice(int(broken[0]), 1).to_pylist()[0]
            raise CorpusError(
                f"frame {row['frame_id']!r}, query {row['query']!r}: the score is {row['score']}: "
                f"the weights of encoder {self.encoder.name!r} are broken, train or load it anew"
            )
