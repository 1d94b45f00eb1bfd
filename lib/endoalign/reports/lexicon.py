"""A language's lexicon: the strict schema of its YAML file, and loading it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, field_validator

from endoalign.reports.lexicon_parts import (
    Area,
    Distances,
    Eligible,
    ExamCues,
    ExamKind,
    Excluded,
    Negation,
    NoExamKind,
    Other,
    Outside,
    Section,
    Sizes,
    Spelled,
    Strict,
    Terms,
)
from endoalign.strict_yaml import read_yaml
from endoalign.vocabulary import DESCRIPTORS, LANGUAGES, PARIS_TYPES, REGIONS

LEXICON_DIRECTORY = Path(__file__).parent / "lexicons"


def _known(names: Iterable[str], allowed: tuple[str, ...], what: str) -> None:
    unknown = sorted(set(names) - set(allowed))
    if unknown:
        raise ValueError(f"unknown {what} {', '.join(unknown)}; known are {', '.join(allowed)}")


class Lexicon(Strict):
    """Everything the parser knows of one language; see the comments in ``lexicons/en.yaml``."""

    language: str
    lesions: Terms
    more_lesions: Terms
    others: dict[str, Other]
    normal: Terms
    normal_subjects: Terms
    sites: dict[str, Terms]
    implied_sites: dict[str, Terms]
    areas: list[Area]
    distances: Distances
    paris: dict[str, Terms]
    descriptors: dict[str, Terms]
    counts: dict[int, Terms]
    sizes: Sizes
    negation: Negation
    ignored: Terms
    interventions: Terms
    operations: Terms
    excluded: Excluded
    outside_examination: Outside
    course: Terms
    sections: list[Section]
    exams: dict[ExamKind, ExamCues]
    no_exams: dict[NoExamKind, Terms]
    eligibility: Eligible
    spelling: Spelled = Field(default_factory=Spelled)

    @field_validator("language")
    @classmethod
    def _language_is_known(cls, value: str) -> str:
        _known([value], LANGUAGES, "language")
        return value

    @field_validator("sites", "implied_sites")
    @classmethod
    def _sites_are_regions(cls, value: dict[str, Terms]) -> dict[str, Terms]:
        _known(value, REGIONS, "region")
        return value

    @field_validator("paris")
    @classmethod
    def _paris_types_are_known(cls, value: dict[str, Terms]) -> dict[str, Terms]:
        _known(value, PARIS_TYPES, "Paris type")
        return value

    @field_validator("descriptors")
    @classmethod
    def _descriptors_are_known(cls, value: dict[str, Terms]) -> dict[str, Terms]:
        _known(value, DESCRIPTORS, "descriptor")
        return value


def load_lexicon(source: str | Path) -> Lexicon:
    """Load the lexicon of a language (``"en"``, ``"zh"``) or of a YAML file.

    Raises:
        FileNotFoundError: there is no such file; the message lists the languages at hand.
        ValueError: the file breaks the schema; the message names file, key and what is wrong.
    """
    path = LEXICON_DIRECTORY / f"{source}.yaml" if str(source) in LANGUAGES else Path(source)
    if not path.is_file():
        raise FileNotFoundError(
            f"no lexicon {source!s}: give a YAML file or one of {', '.join(LANGUAGES)}"
        )
    try:
        return Lexicon.model_validate(read_yaml(path))
    except ValidationError as error:
        raise ValueError(_explain(path, error.errors(include_url=False))) from error


def _explain(path: Path, errors: list[Any]) -> str:
    lines = [f"{'.'.join(str(p) for p in e['loc']) or 'file'}: {e['msg']}" for e in errors]
    return f"{path.name} is no valid lexicon: " + "; ".join(lines)
