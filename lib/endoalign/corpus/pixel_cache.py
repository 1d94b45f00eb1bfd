"""A cache of one array on disk: a ``.npy`` file that ends in a digest of what it was made from.

NumPy reads the file and overlooks the 64 characters behind the array. The file is written under a
temporary name and renamed, so a killed process leaves no half cache, and array and digest cannot
come from two runs. Processes that make the same cache at once each write a file of their own.
Readers copy rows out of the file instead of mapping it: a map of a large cache would count, page by
page, as memory of the process.
"""

import hashlib
import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.lib import format as npy
from numpy.typing import NDArray
from torch import Tensor

from endoalign.corpus import picture
from endoalign.frames import decode

Number = type[np.uint8] | type[np.float32]

BLOCK: Final = 256
"""Frames decoded before they are written."""
_COLUMNS: Final = ("frame_id", "sha256", "box_left", "box_top", "box_right", "box_bottom")


def cache_digest(frames: pd.DataFrame, size: int, crop_content: bool) -> str:
    """64 hexadecimal digits over all that the pictures depend on, the code that makes them too."""
    digest = hashlib.sha256(f"{size} {crop_content} {len(frames)}".encode())
    for module in (decode, picture):
        digest.update(inspect.getsource(module).encode())
    for name in _COLUMNS:
        digest.update("\n".join(map(str, frames[name].tolist())).encode())
    return digest.hexdigest()


@dataclass(frozen=True)
class CachedArray:
    """A finished cache: its file, the place of the first row, shape (n, …) and kind of number."""

    path: Path
    offset: int
    shape: tuple[int, ...]
    dtype: Number = np.uint8

    @classmethod
    def open(cls, path: Path, digest: str, dtype: Number = np.uint8) -> "CachedArray | None":
        """The cache at ``path`` if it is whole, of this digest and kind of number, else None."""
        if path.suffix != ".npy":
            raise ValueError(f"{path}: the name of a pixel cache ends in .npy")
        try:
            with path.open("rb") as stream:
                npy.read_magic(stream)
                shape, _, found = npy.read_array_header_1_0(stream)
                offset = stream.tell()
                stream.seek(offset + int(np.prod(shape)) * np.dtype(dtype).itemsize)
                ending = stream.read()
        except (OSError, ValueError):
            return None
        sound = found == dtype and ending == digest.encode()
        return cls(path, offset, shape, dtype) if sound else None

    def read(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        """Copy rows (n,) out of the file.

        Raises:
            IndexError: a row that it does not hold.
            OSError: the file was cut or removed while in use.
        """
        if rows.size and (rows.min() < 0 or rows.max() >= self.shape[0]):
            raise IndexError(f"rows {rows.min()} to {rows.max()}: {self.path} has {self.shape[0]}")
        values = np.empty((len(rows), *self.shape[1:]), dtype=self.dtype)
        length = int(np.prod(self.shape[1:])) * values.itemsize
        with self.path.open("rb", buffering=0) as stream:
            for target, row in zip(values, rows.tolist(), strict=True):
                stream.seek(self.offset + row * length)
                if stream.readinto(target.view(np.uint8).data) != length:
                    raise OSError(f"{self.path} ends before row {row}: it was cut while in use")
        return values


def write_cache(
    read: Callable[[NDArray[np.int64]], Tensor],
    shape: tuple[int, ...],
    path: Path,
    digest: str,
    progress: Callable[[int, int], None] | None = None,
    dtype: Number = np.uint8,
) -> None:
    """Write what ``read`` gives for rows, ``shape`` in all, as a cache."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    header = {"descr": npy.dtype_to_descr(np.dtype(dtype)), "fortran_order": False, "shape": shape}
    try:
        with temporary.open("wb") as stream:
            npy.write_array_header_1_0(stream, header)
            for start in range(0, shape[0], BLOCK):
                rows = np.arange(start, min(start + BLOCK, shape[0]))
                stream.write(read(rows).numpy().data)
                if progress is not None:
                    progress(int(rows[-1]) + 1, shape[0])
            stream.write(digest.encode())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
