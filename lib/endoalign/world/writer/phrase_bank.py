"""The phrase banks of the report writer, read once: two files a language, findings and extent."""

from functools import cache
from importlib.resources import files
from typing import Any, Final

import yaml

from endoalign.vocabulary import LANGUAGES

_FOLDER: Final = files("endoalign.world.writer") / "phrases"


@cache
def phrases(language: str) -> dict[str, Any]:
    """The bank of ``language``, nested lists of phrases by topic.

    ``{name}`` marks a place to fill, brackets of `endoalign.world.writer.markup` a statement.
    Raises ``ValueError`` where the language has no bank.
    """
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise ValueError(f"unknown language {language!r}; known languages: {known}")
    bank: dict[str, Any] = {}
    for name in (f"{language}.yaml", f"{language}_extent.yaml"):
        bank |= yaml.safe_load((_FOLDER / name).read_text("utf-8"))
    return bank
