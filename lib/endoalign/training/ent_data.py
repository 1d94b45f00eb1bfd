"""Pictures of a training of ENT-CLIP: a table, and their pixels row by row."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor

from endoalign.corpus.disk_pixels import Rows
from endoalign.corpus.pixels import PixelSource
from endoalign.corpus.validation import nearest
from endoalign.models.ent_prompts import EntClasses

COLUMNS: Final = ("picture_id", "group", "class", "description", "split")
"""What is read of the table; its other columns are passed over."""
SPLITS: Final = ("train", "validation", "test")
_BLOCK: Final = 64


@dataclass(frozen=True)
class ArrayPixels:
    """A `PixelSource` of pictures in memory.

    Attributes:
        array: (n, 3, S, S) uint8.
    """

    array: Tensor

    @classmethod
    def of(cls, array: NDArray[np.uint8]) -> "ArrayPixels":
        """From (n, S, S, 3) or (n, 3, S, S).

        Raises:
            ValueError: another shape, or another type than uint8.
        """
        if array.dtype != np.uint8 or array.ndim != 4 or 3 not in (array.shape[1], array.shape[3]):
            raise ValueError(
                f"pixels {array.shape} {array.dtype} must be uint8 (n, S, S, 3) or (n, 3, S, S)"
            )
        channels_first = array if array.shape[1] == 3 else array.transpose(0, 3, 1, 2)
        if channels_first.shape[2] != channels_first.shape[3]:
            raise ValueError(f"pictures must be square, not {array.shape}")
        return cls(torch.from_numpy(np.ascontiguousarray(channels_first)))

    @property
    def size(self) -> int:
        """Side of the pictures, pixels."""
        return int(self.array.shape[-1])

    def __len__(self) -> int:
        return len(self.array)

    def read(self, rows: Rows) -> Tensor:
        """Pictures of these rows, uint8 (n, 3, S, S)."""
        return self.array[torch.as_tensor(np.asarray(rows, dtype=np.int64))]


@dataclass(frozen=True)
class EntPictures:
    """A table of pictures, their pixels and their classes; row i of the pixels is row i of both.

    Attributes:
        table: the columns of `COLUMNS`.
        labels: (n,) class ids.
    """

    table: pd.DataFrame
    pixels: PixelSource
    classes: EntClasses
    labels: NDArray[np.int64]

    @classmethod
    def of(cls, table: pd.DataFrame, pixels: PixelSource, classes: EntClasses) -> "EntPictures":
        """Check a table against its pixels and classes.

        Raises:
            ValueError: a column is missing, an id repeats, a value is empty, a class is unknown, a
                group stands in several splits, a split is unknown, or there are as many rows as
                pictures not.
        """
        for name in COLUMNS:
            if name not in table:
                known = [str(column) for column in table.columns]
                raise ValueError(f"pictures: column {name!r} is missing{nearest(name, known)}")
        table = table[list(COLUMNS)].reset_index(drop=True)
        if len(table) != len(pixels):
            raise ValueError(f"{len(table)} rows for {len(pixels)} pictures: one row a picture")
        for name in ("picture_id", "group", "class", "split"):
            if (empty := table[name].isna() | (table[name].astype(str) == "")).any():
                raise ValueError(f"pictures: column {name!r}, row {int(empty.argmax())} is empty")
        if (again := table["picture_id"].duplicated()).any():
            row = int(again.argmax())
            raise ValueError(f"pictures: picture_id {table['picture_id'][row]!r} stands twice")
        if unknown := sorted(set(table["split"]) - set(SPLITS)):
            raise ValueError(f"pictures: split {unknown[0]!r} is none of {', '.join(SPLITS)}")
        splits = table.groupby("group")["split"].nunique()
        if (splits > 1).any():
            group = splits.index[int((splits > 1).to_numpy().argmax())]
            raise ValueError(
                f"pictures: group {group!r} stands in several splits; its pictures belong together"
            )
        ids = classes.ids(table["class"].tolist(), "pictures: column 'class'")
        return cls(table, pixels, classes, np.array(ids, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.table)

    def rows(self, split: str) -> NDArray[np.int64]:
        """Rows of a split; `ValueError` that lists the known splits where there are none."""
        found = np.flatnonzero((self.table["split"] == split).to_numpy())
        if not len(found):
            known = sorted(set(self.table["split"]))
            raise ValueError(f"no picture of split {split!r}; the table has {', '.join(known)}")
        return found.astype(np.int64)

    def batches(self, rows: NDArray[np.int64], size: int) -> Iterator[Tensor]:
        """Pictures of these rows, at most ``size`` at once, uint8 (b, 3, S, S)."""
        for start in range(0, len(rows), size):
            yield self.pixels.read(rows[start : start + size])

    def texts(self, prompts: tuple[str, ...] | None) -> list[str]:
        """Text of each picture: its class's prompt, or without prompts its own description.

        Raises:
            ValueError: a picture has no description.
        """
        if prompts is not None:
            return [prompts[label] for label in self.labels]
        given = self.table["description"]
        if (empty := given.isna() | (given.astype(str).str.strip() == "")).any():
            raise ValueError(
                f"pictures: column 'description', row {int(empty.argmax())} is empty; with prompt: "
                "picture every picture needs one"
            )
        return [str(text) for text in given]

    def digest(self) -> str:
        """SHA-256 over table and pixels, 64 hexadecimal digits."""
        digest = hashlib.sha256(self.table.astype(str).to_csv(index=False).encode())
        digest.update(repr(self.classes).encode())
        for start in range(0, len(self), _BLOCK):
            rows = np.arange(start, min(start + _BLOCK, len(self)))
            digest.update(self.pixels.read(rows).contiguous().numpy().tobytes())
        return digest.hexdigest()
