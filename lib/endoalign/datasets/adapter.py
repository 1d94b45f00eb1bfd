"""What every adapter is: a card and a function from a folder to the tables.

A module of an adapter has ``CARD: Card`` and ``read(root: Path, **options) -> Contents``. It fails
(ValueError by `refuse`) only where nothing can be used; all else is a `Problem`, and the good rows
are kept.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, Protocol

from endoalign.datasets.card import Card
from endoalign.datasets.contents import Contents


class Adapter(Protocol):
    """Reads one public data set from the folder to which it was downloaded."""

    @property
    def card(self) -> Card:
        """What is published about the data set."""
        ...

    def __call__(self, root: Path, **options: Any) -> Contents:
        """Return what is under ``root``; raises ValueError where nothing can be used."""
        ...


@dataclass(frozen=True)
class ModuleAdapter:
    """The adapter of a module: its ``CARD`` and its ``read``."""

    card: Card
    read: Callable[..., Contents]

    def __call__(self, root: Path, **options: Any) -> Contents:
        """Return what is under ``root``; raises ValueError where nothing can be used."""
        return self.read(existing_root(self.card, root), **options)


def existing_root(card: Card, root: Path) -> Path:
    """Return ``root``; raises ValueError, with the expected layout, where there is no folder."""
    if not root.is_dir():
        raise ValueError(
            f"{root}: no such folder; {card.title} is expected there as\n{card.layout}\n"
            f"{card.how_to_get}"
        )
    return root


def refuse(card: Card, root: Path, looked_for: str) -> NoReturn:
    """Raise the ValueError of a folder in which nothing of the data set is.

    Args:
        card: of the data set.
        root: the folder that was read.
        looked_for: what was looked for and not found, such as ``images/*.jpg``.
    """
    found = sorted(entry.name for entry in root.iterdir())[:8] if root.is_dir() else []
    raise ValueError(
        f"{root}: not the layout of {card.title}: looked for {looked_for}, found "
        f"{', '.join(found) or 'nothing'}; expected\n{card.layout}"
    )
