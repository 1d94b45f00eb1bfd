"""The order of the frames of a case, and their ids."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """Return a sort key under which ``frame2`` comes before ``frame10``.

    Runs of digits compare as numbers and come before letters; names that differ only in leading
    zeros or in case keep a fixed order through the text itself.
    """
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    keys = [(0, int(part), "") if part.isdecimal() else (1, 0, part.lower()) for part in parts]
    return [*keys, (-1, 0, name)]


def frame_names(paths: Sequence[str]) -> list[str]:
    """Return a unique name for each file of one case, from paths relative to the frame root.

    The stem; where two files share it, the file name; where they share that too (one case over
    two folders), the whole path.
    """
    names = [PurePosixPath(path).stem for path in paths]
    for longer in (lambda path: PurePosixPath(path).name, lambda path: path):
        count = Counter(names)
        names = [
            longer(path) if count[name] > 1 else name
            for path, name in zip(paths, names, strict=True)
        ]
    return names
