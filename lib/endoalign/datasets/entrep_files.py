"""What both releases of ENTRep share: its seven classes, its JSON files, and its rows."""

import json
from pathlib import Path, PurePosixPath
from typing import Any, Final

from endoalign.datasets.class_names import ClassNames
from endoalign.datasets.problems import Problem, odd
from endoalign.datasets.text_files import read_text
from endoalign.vocabulary import ENT_CLASSES

ENTREP: Final = ClassNames(ENT_CLASSES)
"""The seven classes, in the order of the challenge's ids 0 to 6."""

Tables = dict[str, list[dict[str, Any]]]
"""Rows of the tables, by name."""

Pairs = list[tuple[str, Any]]


def class_of(value: object) -> str | None:
    """Return the class that a name or an id of the challenge means, `None` where it is neither."""
    if isinstance(value, int) and not isinstance(value, bool):
        return ENTREP.names[value] if 0 <= value < len(ENTREP.names) else None
    return ENTREP.find(value) if isinstance(value, str) else None


def unknown_class(value: object) -> str:
    """Return the words about a value that is no class."""
    return ENTREP.unknown(value if isinstance(value, str) else repr(value))


def read_json(path: Path) -> Any:
    """Return the content of a JSON file; ValueError, naming file and place, where it is broken.

    Objects are lists of pairs, so that a key that stands twice can be told.
    """
    try:
        return json.loads(read_text(path), object_pairs_hook=list)
    except json.JSONDecodeError as error:
        raise ValueError(f"{path}: no readable JSON ({error})") from None


def read_object(path: Path, name: str) -> tuple[Pairs, list[Problem]]:
    """Return the pairs of an object in a JSON file, and a problem for each key that repeats.

    Raises ValueError where the file is no readable JSON or holds no object.
    """
    content = read_json(path)
    if not isinstance(content, list) or not all(
        isinstance(pair, tuple) and len(pair) == 2 for pair in content
    ):
        raise ValueError(f"{path}: not an object {{key: value}}")
    pairs: dict[str, Any] = {}
    problems = []
    for key, value in content:
        if key in pairs:
            problems.append(odd(name, f"{key!r} stands twice; the first is taken"))
        pairs.setdefault(key, value)
    return list(pairs.items()), problems


def folder_of(path: str) -> str:
    """Return the folder of a relative path, the empty text for the root."""
    parent = PurePosixPath(path).parent.as_posix()
    return "" if parent == "." else parent


def empty_tables() -> Tables:
    """Return tables without rows, but for masks, of which ENTRep has none."""
    return {name: [] for name in ("cases", "frames", "labels", "splits", "texts")}
