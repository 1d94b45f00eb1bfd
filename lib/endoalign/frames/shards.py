"""The store of a scan: small Parquet parts that appear whole or not at all.

A part is written under a temporary name and renamed, so a scan killed at any moment leaves only
whole parts, and a later scan measures only what no part holds.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from endoalign.frames.decode import UNREADABLE

SCHEMA: Final = pa.schema(
    [
        ("file", pa.string()),
        ("size", pa.int64()),
        ("modified_ns", pa.int64()),
        ("reason", pa.string()),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("sha256", pa.string()),
        ("phash", pa.string()),
        ("quality", pa.float64()),
        ("sharpness", pa.float64()),
        ("exposure", pa.float64()),
        ("colour", pa.float64()),
        ("box_left", pa.int32()),
        ("box_top", pa.int32()),
        ("box_right", pa.int32()),
        ("box_bottom", pa.int32()),
    ]
)
"""One row a file. ``reason`` says why a file could not be read; the measures are then null."""

KEY_COLUMNS: Final = ["file", "size", "modified_ns"]


@dataclass(frozen=True, slots=True)
class FileKey:
    """What tells whether a file was measured before: its path, bytes and time of change."""

    file: str
    size: int
    modified_ns: int

    @classmethod
    def of(cls, path: Path) -> "FileKey":
        """Read the key of a file; one that cannot be seen has size and time -1."""
        try:
            status = path.stat()
        except OSError:
            return cls(str(path), -1, -1)
        return cls(str(path), status.st_size, status.st_mtime_ns)


def write_part(rows: Sequence[dict[str, object]], folder: Path) -> None:
    """Write rows of `SCHEMA` as one part, named by the files it holds."""
    names = "\n".join(f"{row['file']}\t{row['size']}\t{row['modified_ns']}" for row in rows)
    target = folder / f"part-{hashlib.sha256(names.encode()).hexdigest()[:20]}.parquet"
    temporary = target.with_suffix(f".{os.getpid()}.tmp")
    pq.write_table(pa.Table.from_pylist(list(rows), schema=SCHEMA), temporary)
    temporary.replace(target)


def measured_keys(folder: Path) -> set[FileKey]:
    """Return the keys of all files that the parts hold, but those the disk did not give."""
    found: set[FileKey] = set()
    for part in _parts(folder):
        table = _read(part).select([*KEY_COLUMNS, "reason"])
        failed = pc.starts_with(pc.fill_null(table.column("reason"), ""), UNREADABLE)
        found.update(_keys(table.filter(pc.invert(failed))))
    return found


def read_table(folder: Path, wanted: set[FileKey]) -> pa.Table:
    """Return the rows of the wanted files, sorted by ``file``: of each the one written last."""
    left = set(wanted)
    tables = [SCHEMA.empty_table()]
    for part in _parts(folder):
        table = _read(part)
        chosen = []
        for key in _keys(table):
            chosen.append(key in left)
            left.discard(key)
        tables.append(table.filter(pa.array(chosen, pa.bool_())))
    return pa.concat_tables(tables).sort_by("file")


def _read(part: Path) -> pa.Table:
    """Read a part; one that the disk has damaged is removed, so that its files count as missing."""
    try:
        return pq.read_table(part, schema=SCHEMA)
    except pa.ArrowException:
        part.unlink()
        return SCHEMA.empty_table()


def _keys(table: pa.Table) -> Iterator[FileKey]:
    columns = (table.column(name).to_pylist() for name in KEY_COLUMNS)
    return (FileKey(*values) for values in zip(*columns, strict=True))


def _parts(folder: Path) -> list[Path]:
    """Return the parts, those written last first."""
    parts = folder.glob("part-*.parquet")
    return sorted(parts, key=lambda part: (-part.stat().st_mtime_ns, part.name))
