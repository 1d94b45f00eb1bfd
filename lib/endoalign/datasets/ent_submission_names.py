"""Which picture of a table each file of a challenge's test is: told by the file's bytes."""

from pathlib import Path

import pandas as pd

from endoalign.frames.hashing import sha256_of


def file_rows(pictures: pd.DataFrame, folder: Path) -> dict[str, int]:
    """Row of each file of ``folder``, by its name.

    Args:
        pictures: table with ``sha256``, rows numbered from 0.
        folder: pictures of a challenge's test (``*.png``, ``*.jpg``).

    Raises:
        ValueError: a file is no picture of the table.
    """
    place = {digest: row for row, digest in enumerate(pictures["sha256"])}
    rows = {}
    for file in sorted(folder.iterdir()):
        if file.suffix.lower() in {".png", ".jpg", ".jpeg"}:
            digest = sha256_of(file)
            if digest not in place:
                raise ValueError(f"{file} is none of the {len(pictures)} pictures of the table")
            rows[file.name] = place[digest]
    return rows
