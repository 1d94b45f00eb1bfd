"""Options of an adapter, strictly typed: a wrong key or value is one clear error."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from endoalign.corpus.validation import nearest
from endoalign.datasets.card import Card

Options = TypeVar("Options", bound=BaseModel)


def options_of(card: Card, model: type[Options], options: Mapping[str, Any]) -> Options:
    """Return the options as their model.

    Raises:
        ValueError: an unknown key, with the nearest known one, or a value of the wrong type.
    """
    try:
        return model.model_validate(dict(options))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = [str(part) for part in first["loc"]]
        key = ".".join(place)
        if first["type"] == "extra_forbidden":
            known = _known_keys(model, place[:-1])
            what = f"unknown option {key!r}{nearest(place[-1], known)}; known: {', '.join(known)}"
        else:
            what = f"option {key!r} is {first['input']!r}: {first['msg']}"
        raise ValueError(f"{card.name}: {what}") from None


def _known_keys(model: type[BaseModel], place: list[str]) -> list[str]:
    for part in place:
        inner = model.model_fields[part].annotation
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        model = inner
    return list(model.model_fields)
