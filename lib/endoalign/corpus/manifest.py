"""``corpus.json``: where the frames of a corpus lie, and what it was made from."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from endoalign.corpus.files import write_text
from endoalign.corpus.validation import CorpusError

FILE: Final = "corpus.json"


class Manifest(BaseModel):
    """Frame roots by the name of their source, a hash of the ingest settings, and counts.

    A root inside the corpus folder is kept relative to it, so that the corpus can be moved.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    roots: dict[str, str]
    settings: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    counts: dict[str, int]

    def write(self, folder: Path) -> None:
        """Write ``corpus.json`` into the corpus folder."""
        write_text(self.model_dump_json(indent=1) + "\n", folder / FILE)

    @classmethod
    def load(cls, folder: Path) -> "Manifest":
        """Read ``corpus.json``; raises `CorpusError` where it is missing or wrong."""
        path = folder / FILE
        try:
            return cls.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            raise CorpusError(f"{path} is missing: notebook 00_corpus makes it") from None
        except (ValidationError, json.JSONDecodeError) as error:
            raise CorpusError(f"{path} is not as ingest writes it: {error}") from error


def stored_root(root: Path, folder: Path) -> str:
    """Return a frame root as the manifest holds it."""
    root, folder = root.resolve(), folder.resolve()
    return root.relative_to(folder).as_posix() if root.is_relative_to(folder) else str(root)


def stored_path(relative: str, source: str, roots: int) -> str:
    """Return a frame's path as the tables hold it: several roots prefix the source's name."""
    return relative if roots == 1 else f"{source}/{relative}"


def frame_path(folder: Path, row: pd.Series | str) -> Path:
    """Return the file of a frame of the corpus in ``folder``.

    Args:
        folder: the corpus folder.
        row: a row of the frames table, or its ``path``.

    Raises:
        CorpusError: where the manifest is missing or knows no root for the path.
    """
    relative = row if isinstance(row, str) else str(row["path"])
    path = folder / FILE
    roots = _roots(folder, path.stat().st_mtime_ns if path.is_file() else 0)
    if len(roots) == 1:
        return next(iter(roots.values())) / relative
    source, _, rest = relative.partition("/")
    if source not in roots:
        raise CorpusError(f"{relative}: no frame root of {source!r}; roots: {', '.join(roots)}")
    return roots[source] / rest


@lru_cache(maxsize=16)
def _roots(folder: Path, _modified_ns: int) -> dict[str, Path]:
    """Return the absolute frame roots; read anew when the manifest changes."""
    return {name: folder / root for name, root in Manifest.load(folder).roots.items()}
