"""Names on disk, as different systems leave them; readers of small files are in `text_files`."""

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from endoalign.corpus.listing import FRAME_ENDINGS


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """Return the key under which ``2.png`` sorts before ``10.png``."""
    parts = re.split(r"(\d+)", name)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def natural_sort(names: Iterable[str]) -> list[str]:
    """Return names sorted as a person counts."""
    return sorted(names, key=lambda name: (natural_key(name), name))


@dataclass
class Names:
    """The names under a root, found whatever their case.

    Each folder is listed once, so that ten thousand look-ups cost ten listings.
    """

    root: Path
    _listed: dict[str, list[str]] = field(default_factory=dict)
    _by_fold: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    def entries(self, folder: str = "") -> list[str]:
        """Return the names in ``folder`` (relative), without hidden ones, naturally sorted."""
        if folder not in self._listed:
            path = self.root / folder
            found = os.listdir(path) if path.is_dir() else []  # noqa: PTH208 (names, not paths)
            self._listed[folder] = natural_sort(n for n in found if not n.startswith((".", "__")))
        return self._listed[folder]

    def images(self, folder: str = "") -> list[str]:
        """Return the names of the pictures in ``folder``, by their ending."""
        return [n for n in self.entries(folder) if PurePosixPath(n).suffix.lower() in FRAME_ENDINGS]

    def find(self, relative: str) -> str | None:
        """Return the path as it is on disk, relative, `None` where there is none.

        The exact name is taken where it exists, or else the one that differs in case (or in
        Unicode composition) alone. Two of those and no exact one are none.
        """
        found = ""
        for part in PurePosixPath(relative.replace("\\", "/")).parts:
            name = self._entry(found, part)
            if name is None:
                return None
            found = join(found, name)
        return found or None

    def find_first(self, *relatives: str) -> str | None:
        """Return the first of several paths that exists (`find`), `None` where none does."""
        return next((found for r in relatives if (found := self.find(r)) is not None), None)

    def _entry(self, folder: str, name: str) -> str | None:
        if folder not in self._by_fold:
            index: dict[str, list[str]] = {}
            for entry in self.entries(folder):
                index.setdefault(_fold(entry), []).append(entry)
            self._by_fold[folder] = index
        candidates = self._by_fold[folder].get(_fold(name), [])
        if name in candidates:
            return name
        return candidates[0] if len(candidates) == 1 else None


def join(folder: str, name: str) -> str:
    """Return the relative path of a name in a folder, which may be the root (an empty text)."""
    return f"{folder}/{name}" if folder else name


def stems(names: Iterable[str]) -> list[str]:
    """Return file names without their endings."""
    return [PurePosixPath(name).stem for name in names]


def by_stem(names: Iterable[str]) -> dict[str, str]:
    """Return file names by their stem in lower case; of two with one stem, the first."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(_fold(PurePosixPath(name).stem), name)
    return found


def stem_key(name: str) -> str:
    """Return the key of `by_stem` for a file name."""
    return _fold(PurePosixPath(name).stem)


def numbered(names: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the names whose stem is a number, with that number."""
    for name in names:
        stem = PurePosixPath(name).stem
        if stem.isdecimal():
            yield int(stem), name


def _fold(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
