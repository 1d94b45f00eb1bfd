"""The cells of a row of EndoVL as labels: Paris type, surface signs, size, descriptors."""

import math
from collections.abc import Mapping
from typing import Final

from endoalign.corpus.validation import nearest
from endoalign.vocabulary import DESCRIPTORS, PARIS_TYPES

SIGNS: Final = ("congestion", "lobulated", "villous")
LARGE_CM: Final = 1.0
"""The paper's threshold of 10 mm; a polyp of just that size counts as large."""
_YES: Final = frozenset({"1", "1.0", "yes", "true", "present"})
_NO: Final = frozenset({"0", "0.0", "no", "false", "absent"})

Labels = list[tuple[str, str]]
"""Task and label of each."""


def cell_labels(column: str, cell: str, *, unit_cm: float = 1.0) -> Labels:
    """Return the labels that one cell states; an empty cell states none.

    Args:
        column: ``paris``, one of `SIGNS`, or ``size`` (gives ``size_cm`` and ``size_10mm``).
        cell: its text.
        unit_cm: centimetres of the unit of sizes.

    Raises:
        ValueError: a cell that states nothing known; the message says what would be right.
    """
    if not cell:
        return []
    if column == "paris":
        return [("paris", _paris(cell))]
    if column == "size":
        return _size(cell, unit_cm)
    if cell.casefold() in _YES | _NO:
        return [(column, str(int(cell.casefold() in _YES)))]
    raise ValueError(f"{column} {cell!r} is none of 0 and 1, no and yes, false and true")


def descriptor_labels(cell: str, separator: str, names: Mapping[str, str]) -> Labels:
    """Return a label of the task ``descriptor`` for each descriptor of a cell.

    Args:
        cell: descriptors with ``separator`` between them.
        separator: one character.
        names: our descriptor by the table's name of it; other names are ours already, whatever
            joins their words.

    Raises:
        ValueError: a name that is no descriptor; names the nearest.
    """
    found: dict[str, None] = {}
    for word in filter(None, map(str.strip, cell.split(separator))):
        name = names.get(
            word, "_".join(word.casefold().replace("-", " ").replace("_", " ").split())
        )
        if name not in DESCRIPTORS:
            raise ValueError(
                f"descriptor {word!r} is unknown{nearest(name, list(DESCRIPTORS))}; map it in "
                f"descriptor_names to one of {', '.join(DESCRIPTORS)}"
            )
        found[name] = None
    return [("descriptor", name) for name in found]


def _paris(cell: str) -> str:
    """Return the type as in the vocabulary: ``Is`` and ``0-is`` are ``0-Is``."""
    plain = cell.casefold().replace(" ", "").replace("–", "-").removeprefix("0-")
    known = {name.casefold().removeprefix("0-"): name for name in PARIS_TYPES}
    if plain not in known:
        raise ValueError(f"paris {cell!r} is none of {', '.join(PARIS_TYPES)}")
    return known[plain]


def _size(cell: str, unit_cm: float) -> Labels:
    try:
        size = float(cell.replace(",", ".")) * unit_cm
    except ValueError:
        raise ValueError(f"size {cell!r} is no number") from None
    if not (math.isfinite(size) and size > 0):
        raise ValueError(f"size {cell!r} is not above 0")
    return [("size_cm", f"{size:g}"), ("size_10mm", str(int(size >= LARGE_CM)))]
