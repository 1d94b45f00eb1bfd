"""Kinds of table columns. Each column's description says what is right, for error messages."""

from collections.abc import Sequence
from typing import Any

import pandera.pandas as pa


def text(meaning: str, *, unique: bool = False, nullable: bool = False) -> pa.Column:
    """Return a column of texts; not empty where they are ``unique``, as ids are."""
    checks = [pa.Check.str_length(min_value=1)] if unique else []
    return pa.Column(str, checks, unique=unique, nullable=nullable, description=meaning)


def pattern(meaning: str, regex: str) -> pa.Column:
    """Return a column of texts that match ``regex`` whole."""
    return pa.Column(str, pa.Check.str_matches(rf"^(?:{regex})$"), description=meaning)


def one_of(names: Sequence[str], *, nullable: bool = False) -> pa.Column:
    """Return a column of names from a closed vocabulary."""
    meaning = f"one of {', '.join(names)}" + (" or empty" if nullable else "")
    return pa.Column(str, pa.Check.isin(list(names)), nullable=nullable, description=meaning)


def whole(meaning: str, least: int = 0, *, nullable: bool = False) -> pa.Column:
    """Return a column of whole numbers from ``least`` on."""
    kind: Any = "Int64" if nullable else "int64"
    return pa.Column(
        kind, pa.Check.ge(least), nullable=nullable, description=f"{meaning}, {least} or more"
    )


def real(
    meaning: str, least: float, most: float = float("inf"), *, nullable: bool = False
) -> pa.Column:
    """Return a column of real numbers from ``least`` to ``most``."""
    return pa.Column(
        float,
        pa.Check.in_range(least, most),
        nullable=nullable,
        description=f"{meaning}, from {least:g} to {most:g}",
    )


def flag(meaning: str, *, nullable: bool = False) -> pa.Column:
    """Return a column of true and false, and where ``nullable`` of not yet decided."""
    kind: Any = "boolean" if nullable else bool
    return pa.Column(kind, nullable=nullable, description=meaning)


def names(meaning: str, known: Sequence[str] | None = None) -> pa.Column:
    """Return a column of lists of texts, taken from ``known`` where that is given."""

    def valid(value: object) -> bool:
        return isinstance(value, list) and all(
            isinstance(name, str) and (known is None or name in known) for name in value
        )

    return pa.Column(object, pa.Check(valid, element_wise=True), description=meaning)
