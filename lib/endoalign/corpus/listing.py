"""What a source holds before any frame is decoded: its cases, its frame files, its bad rows."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from endoalign.corpus.rows import IngestError

FRAME_ENDINGS: Final = frozenset(
    {".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp", ".gif", ".jp2", ".ppm", ".pgm"}
)
"""Endings by which a file found in a folder counts as a frame."""


@dataclass(frozen=True)
class FrameFile:
    """A file listed as a frame of a case; ``path`` is relative to the frame root, with slashes."""

    case_id: str
    path: str


@dataclass(frozen=True)
class LeftOut:
    """A file or row left out: its path (relative, or file:line), case and reason."""

    path: str
    case_id: str | None
    reason: str


@dataclass
class Listing:
    """``cases`` by id, as rows of the cases table; ``ignored`` files are not frames by ending."""

    cases: dict[str, dict[str, object]] = field(default_factory=dict)
    frames: list[FrameFile] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    ignored: int = 0


def files_under(root: Path) -> Iterator[str]:
    """Yield the paths of all files under ``root``, relative, sorted, without hidden ones.

    Raises `IngestError` where there is no such folder, or one that may not be read.
    """
    if not root.is_dir():
        raise IngestError(f"{root}: no such folder")
    for folder, inner, names in os.walk(root, onerror=_refuse):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        for name in sorted(name for name in names if not name.startswith(".")):
            yield (Path(folder) / name).relative_to(root).as_posix()


def _refuse(error: OSError) -> None:
    raise IngestError(f"{error.filename}: folder cannot be read: {error.strerror}") from None


def is_frame(path: str) -> bool:
    """Return whether a file counts as a frame by its ending."""
    return PurePosixPath(path).suffix.lower() in FRAME_ENDINGS


def inside(root: Path, path: str) -> str | None:
    """Return ``path`` relative to ``root`` with slashes, `None` where it lies outside.

    The path may be absolute, or relative to the root, with slashes of either kind.
    """
    base = Path(os.path.normpath(root.absolute()))
    target = Path(os.path.normpath(base / path.replace("\\", "/")))
    inner = target.is_relative_to(base) and target != base
    return target.relative_to(base).as_posix() if inner else None
