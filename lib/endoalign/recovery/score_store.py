"""Scores on disk, a block a file: finished blocks stay, stale ones count as missing.

Each file carries the digest of what it was made from, and appears under its name only when whole,
so that several processes may write blocks of one folder and any of them may be killed.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from endoalign.corpus.files import write_text
from endoalign.corpus.validation import CorpusError

MANIFEST: Final = "scores.json"
_DIGEST: Final = b"endoalign_scores"
SCHEMA: Final = pa.schema(
    [
        ("frame_id", pa.string()),
        ("case_id", pa.string()),
        ("query", pa.string()),
        ("score", pa.float32()),
    ]
)


@dataclass(frozen=True)
class ScoreStore:
    """The folder of one scoring: ``blocks`` files that all carry ``digest``."""

    folder: Path
    digest: str
    blocks: int

    @classmethod
    def open(cls, folder: Path, digest: str, blocks: int) -> "ScoreStore":
        """Open a folder for writing; parts of another scoring are removed.

        Stale parts whose names this scoring uses too are not removed but overwritten in their turn:
        another process may just have put a new one in their place.
        """
        store = cls(folder, digest, blocks)
        folder.mkdir(parents=True, exist_ok=True)
        own = {store.path(block).name for block in range(blocks)}
        for part in folder.glob("part-*.parquet"):
            if part.name not in own:
                part.unlink(missing_ok=True)
        facts = {"digest": digest, "blocks": blocks}
        write_text(json.dumps(facts, indent=1) + "\n", folder / MANIFEST)
        return store

    @classmethod
    def load(cls, folder: Path) -> "ScoreStore":
        """Open a folder for reading; raises `CorpusError` where no scoring was begun there."""
        path = folder / MANIFEST
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
            return cls(folder, str(facts["digest"]), int(facts["blocks"]))
        except FileNotFoundError:
            raise CorpusError(f"{path} is missing: score_frames makes it") from None
        except (ValueError, KeyError, TypeError) as error:
            raise CorpusError(f"{path} is not as score_frames writes it: {error!r}") from error

    def path(self, block: int) -> Path:
        """Return the file of a block, counted from 0."""
        return self.folder / f"part-{block:04d}-of-{self.blocks:04d}.parquet"

    def is_finished(self, block: int) -> bool:
        """Whether the block's file is there, sound and of this scoring."""
        path = self.path(block)
        try:
            metadata = pq.read_schema(path).metadata or {}
        except (OSError, pa.ArrowException):
            return False
        return bool(metadata.get(_DIGEST) == self.digest.encode())

    def write(self, block: int, table: pa.Table) -> None:
        """Write a block's table, columns as in `SCHEMA`; the file appears whole."""
        path = self.path(block)
        for left in self.folder.glob(f".{path.name}.*.tmp"):  # of a killed process
            left.unlink(missing_ok=True)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        marked = table.cast(SCHEMA).replace_schema_metadata({_DIGEST: self.digest.encode()})
        pq.write_table(marked, temporary)
        temporary.replace(path)

    def read(self) -> pd.DataFrame:
        """Return all blocks as one table; raises `CorpusError` that names what is missing."""
        missing = [block for block in range(self.blocks) if not self.is_finished(block)]
        if missing:
            names = ", ".join(self.path(block).name for block in missing[:5])
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            raise CorpusError(
                f"{self.folder}: {len(missing)} of {self.blocks} blocks are missing ({names}{more})"
                ": run score_frames again, all its shards, with the same encoder and queries"
            )
        parts = [pq.read_table(self.path(block), schema=SCHEMA) for block in range(self.blocks)]
        table: pd.DataFrame = pa.concat_tables([SCHEMA.empty_table(), *parts]).to_pandas()
        return table


def load_scores(folder: Path) -> pd.DataFrame:
    """Return the scores in a folder: ``frame_id``, ``case_id``, ``query``, ``score`` (float32).

    Rows are in the order of the frames table and, within a frame, of the queries of all cases and
    then of its own case.

    Raises:
        CorpusError: nothing was scored there, or blocks are missing; the message names them.
    """
    return ScoreStore.load(folder).read()
