"""What is missing or odd in a data set on disk, without stopping what can be used."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["missing", "odd"]


@dataclass(frozen=True)
class Problem:
    """One thing that is not as published.

    Attributes:
        kind: ``missing`` (a file or row that should be there) or ``odd`` (there, but not as it
            should be).
        path: the file or folder, relative to the root, with ``:LINE`` for a line of it.
        what: what is wrong and what would be right.
    """

    kind: Kind
    path: str
    what: str


def missing(path: str, what: str) -> Problem:
    """Return the problem of something that should be there and is not."""
    return Problem("missing", path, what)


def odd(path: str, what: str) -> Problem:
    """Return the problem of something that is there and is not as it should be."""
    return Problem("odd", path, what)
