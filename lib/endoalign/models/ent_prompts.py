"""Classes of ENT images and the prompts that stand for them (ENT-CLIP, equations 1 and 2)."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from torch import Tensor

from endoalign.models.dual_encoder import DualEncoder
from endoalign.models.encode import encode_texts
from endoalign.paths import given
from endoalign.strict_yaml import read_yaml

PromptKind = Literal["literal", "description"]
_PLACE: Final = re.compile(r"\{(class|description)\}")


class ClassEntry(BaseModel):
    """One class of a set."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    description: str = Field(min_length=1, description="what a picture of the class shows")
    mirror: bool = Field(description="whether the mirror image is of the same class")
    phrase: str = Field("", description="what {class} becomes; nothing: the class's name")


class ClassFile(BaseModel):
    """One set of classes as a YAML file holds it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    template: str = Field(description="the prompt, with {class} and {description}")
    literal: str = Field(min_length=1, description="what {description} becomes word for word")
    classes: dict[str, ClassEntry] = Field(min_length=2)

    @field_validator("template")
    @classmethod
    def _has_both_places(cls, template: str) -> str:
        if template.count("{class}") != 1 or template.count("{description}") != 1:
            raise ValueError("must have {class} and {description}, each once")
        return template


@dataclass(frozen=True)
class EntClasses:
    """A set of classes; a class's id is its place.

    Attributes:
        names: as the tables have them.
        mirror: whether each class's mirror image is of the same class; the flip table.
        literal, descriptions: prompt of each class, by equation 1 to the letter and with the
            class's description in its place.
    """

    names: tuple[str, ...]
    mirror: tuple[bool, ...]
    literal: tuple[str, ...]
    descriptions: tuple[str, ...]

    @classmethod
    def of(cls, held: ClassFile) -> "EntClasses":
        """The set that a file describes."""
        return cls(
            tuple(held.classes),
            tuple(entry.mirror for entry in held.classes.values()),
            tuple(_filled(held, name, held.literal) for name in held.classes),
            tuple(_filled(held, name, held.classes[name].description) for name in held.classes),
        )

    def __len__(self) -> int:
        return len(self.names)

    def prompts(self, kind: PromptKind) -> tuple[str, ...]:
        """The prompt of each class."""
        return self.literal if kind == "literal" else self.descriptions

    def ids(self, names: Sequence[str], where: str = "class") -> list[int]:
        """Ids of some classes by name.

        Args:
            where: what the names are, for the error.

        Raises:
            ValueError: a name is no class of this set; names its place and the nearest class.
        """
        place = {name: number for number, name in enumerate(self.names)}
        for row, name in enumerate(names):
            if name not in place:
                near = difflib.get_close_matches(str(name), self.names, n=1, cutoff=0.0)[0]
                raise ValueError(
                    f"{where}, row {row}: {name!r} is no class of {', '.join(self.names)}; the "
                    f"nearest is {near!r}"
                )
        return [place[name] for name in names]


def load_classes(source: str | Path) -> EntClasses:
    """A set of classes: one of ``prompts_ent.yaml`` by name, or of the user's own YAML file.

    The user's file holds what ``prompts_ent.yaml`` holds of one set, at its top.

    Raises:
        ValueError: there is no such set and no such file, or the file is not as it should be; the
            message names the key.
    """
    known = _known_sets()
    if isinstance(source, str) and source in known:
        return EntClasses.of(_checked(known[source], f"prompts_ent.yaml, {source}"))
    file = given(source)
    if not file.is_file():
        near = difflib.get_close_matches(str(source), known, n=1, cutoff=0.0)[0]
        raise ValueError(
            f"{str(source)!r} is neither a YAML file nor a set of classes ({', '.join(known)}); "
            f"the nearest is {near!r}"
        )
    return EntClasses.of(_checked(read_yaml(file), str(file)))


def class_text_features(encoder: DualEncoder, classes: EntClasses, kind: PromptKind) -> Tensor:
    """Text feature of each class's prompt, (classes, d) of unit norm (equation 2)."""
    return encode_texts(encoder, classes.prompts(kind))


@cache
def _known_sets() -> dict[str, Any]:
    text = resources.files("endoalign.models").joinpath("prompts_ent.yaml").read_text("utf-8")
    sets: dict[str, Any] = yaml.safe_load(text)
    return sets


def _checked(held: object, where: str) -> ClassFile:
    try:
        return ClassFile.model_validate(held)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"])) or "the file"
        raise ValueError(f"{where}: {key}: {first['msg']}") from None


def _filled(held: ClassFile, name: str, description: str) -> str:
    """The prompt of a class; braces in the words themselves are no places to fill."""
    words = {"class": held.classes[name].phrase or name, "description": description}
    return _PLACE.sub(lambda place: words[place[1]], held.template)
