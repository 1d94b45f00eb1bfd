"""Strict typed parameters: what every notebook checks before anything heavy.

A notebook's parameters come from its ``parameters`` cell and from what papermill injected after
it. papermill reads ``1e-4`` as text and only warns of unknown names, so each notebook passes
through a strict model here: every fault of a set of parameters is told in one error.
"""

import difflib
import hashlib
import json
from typing import Annotated, Any, Self, TypeVar

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, ValidationInfo
from pydantic_core import ErrorDetails

from endoalign.paths import expand

NAME = r"^[A-Za-z0-9_-][A-Za-z0-9_.-]*$"
"""Pattern of a name of a folder: no path, nothing hidden."""

M = TypeVar("M", bound=BaseModel)


class ParameterError(ValueError):
    """A set of parameters is wrong; the message names each key, what is right and the nearest."""


class StrictModel(BaseModel):
    """A group of settings: unknown keys refused, no silent conversion of types, immutable."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Parameters(StrictModel):
    """What every notebook takes; each notebook's model adds its own fields."""

    profile: str = Field(
        pattern=r"^[a-z0-9_-]+$", description="name of the settings, and of the folder in outputs/"
    )
    seed: int = Field(42, ge=0, lt=2**32, description="seed of every random choice")

    @classmethod
    def check(cls, values: dict[str, Any], *, origin: str, files: bool = True) -> Self:
        """Validate ``values``; ``origin`` (a file or notebook) opens the error message.

        Args:
            files: whether files that settings name must exist already.

        Raises:
            ParameterError: one message with every fault.
        """
        try:
            return cls.model_validate(values, context={"files": files})
        except ValidationError as error:
            faults = "\n".join(f"  {_explain(cls, fault)}" for fault in error.errors())
            raise ParameterError(f"{origin}: wrong parameters\n{faults}") from None

    def digest(self) -> str:
        """First 12 hexadecimal digits of the SHA-256 of the resolved values."""
        text = json.dumps(self.model_dump(mode="json"), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def show(self) -> None:
        """Print the resolved values as YAML, in the order of the model."""
        print(yaml.safe_dump(self.model_dump(mode="json"), sort_keys=False, allow_unicode=True))


def part(parameters: Parameters, model: type[M]) -> M:
    """The settings ``model`` that a notebook's parameters contain as flat keys."""
    return model(**{name: getattr(parameters, name) for name in model.model_fields})


def _existing(value: Any, info: ValidationInfo) -> Any:
    """Check that a file or folder which a setting names is there."""
    if isinstance(value, str) and (info.context or {}).get("files", True):
        path = expand(value)
        if not path.exists():
            raise ValueError(f"no such file or folder: {path}")
    return value


ExistingPath = Annotated[str, BeforeValidator(_existing)]
"""Text that names a file or folder which must exist; see `endoalign.paths.expand`."""


def _explain(model: type[BaseModel], fault: ErrorDetails) -> str:
    """One line on one fault: key, what is wrong, what would be right."""
    key = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        known = _known_keys(model, fault["loc"][:-1])
        near = difflib.get_close_matches(str(fault["loc"][-1]), known, n=1, cutoff=0.0)
        hint = f"did you mean {near[0]!r}? " if near else ""
        return f"{key}: unknown key; {hint}known keys: {', '.join(known)}"
    got = f" (got {fault['input']!r})" if fault["type"] != "missing" else ""
    return f"{key}: {fault['msg']}{got}{_number_hint(fault)}"


def _number_hint(fault: ErrorDetails) -> str:
    """Hint for YAML's trap: a number in text, such as ``1e-4`` without a dot."""
    value = fault["input"]
    if not isinstance(value, str) or fault["type"] not in {"float_type", "int_type"}:
        return ""
    try:
        return f"; YAML read text: write {float(value)!r} with a dot, such as 1.0e-4"
    except ValueError:
        return ""


def _known_keys(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """Field names of the (nested) model at ``path``; indices and union tags are passed over."""
    for part in path:
        field = model.model_fields.get(str(part))
        if field is not None:
            models = _models_in(field.annotation)
            model = models[0] if len(models) == 1 else model
    return sorted(model.model_fields)


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    """Every pydantic model inside a type such as ``list[Annotated[A | B, …]]``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [m for a in getattr(annotation, "__args__", ()) for m in _models_in(a)]
