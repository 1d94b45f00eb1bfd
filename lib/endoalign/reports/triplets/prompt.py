"""What a model is asked: instructions, worked examples and the report, as messages of a chat.

All of it comes from files: ``prompts/`` of this package, or those the settings name. The
instructions stand in the first message of the user, because not every chat template has a system
role.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from endoalign.paths import expand
from endoalign.reports.language import detect_language
from endoalign.reports.triplets.aliases import EXAM_REGIONS, exam_named, region_named
from endoalign.reports.triplets.records import ReportInput
from endoalign.reports.triplets.schema import PROMPTS, Answer, AnsweredFinding
from endoalign.reports.triplets.settings import TripletSettings
from endoalign.strict_yaml import read_yaml

Messages = list[dict[str, str]]
"""A chat: ``role`` (user or assistant) and ``content`` of every message."""

M = TypeVar("M", bound=BaseModel)
_STRICT: Final = ConfigDict(extra="forbid", frozen=True)


class Instructions(BaseModel):
    """The task, with ``{exam}`` and ``{regions}`` to fill in, and the words before a report."""

    model_config = _STRICT

    task: str = Field(min_length=1)
    report: str


class Example(BaseModel):
    """One report and its right answer."""

    model_config = _STRICT

    exam_type: str
    language: Literal["en", "zh"]
    report: str
    findings: list[AnsweredFinding]

    @field_validator("exam_type")
    @classmethod
    def _known_exam(cls, name: str) -> str:
        return exam_named(name)

    @field_validator("findings", mode="before")
    @classmethod
    def _canonical_regions(cls, findings: Any) -> Any:
        if not isinstance(findings, list):
            return findings
        return [
            f | {"region": region_named(str(f["region"]))}
            if isinstance(f, dict) and "region" in f
            else f
            for f in findings
        ]


class Examples(BaseModel):
    """All examples of a file."""

    model_config = _STRICT

    examples: list[Example]


def messages_for(report: ReportInput, exam_type: str, settings: TripletSettings) -> Messages:
    """The chat that asks for the findings of one report.

    Raises:
        ValueError: a file of the prompt breaks its schema; the message names file and key.
    """
    instructions = _instructions(settings.prompt)
    task = instructions.task.replace("{exam}", exam_type)
    task = task.replace("{regions}", ", ".join(EXAM_REGIONS[exam_type]))
    language = report.language or detect_language(report.text)
    turns: Messages = []
    shown = _examples(settings.examples, exam_type, language)[: settings.example_count]
    for example in shown:
        answer = Answer(findings=example.findings)
        content = json.dumps(answer.model_dump(), ensure_ascii=False)
        turns.append({"role": "user", "content": instructions.report + example.report})
        turns.append({"role": "assistant", "content": content})
    turns.append({"role": "user", "content": instructions.report + report.text})
    turns[0] = {"role": "user", "content": f"{task}\n{turns[0]['content']}"}
    return turns


@cache
def _instructions(source: str | None) -> Instructions:
    path = PROMPTS / "instructions.yaml" if source is None else expand(source)
    return _load(path, Instructions, read_yaml(path))


@cache
def _examples(source: str | None, exam_type: str, language: str) -> list[Example]:
    """The examples of a file, those of the examination and then of the language first."""
    path = PROMPTS / "examples.yaml" if source is None else expand(source)
    examples = _load(path, Examples, {"examples": read_yaml(path)}).examples

    def unlike(example: Example) -> tuple[bool, bool]:
        return example.exam_type != exam_type, example.language != language

    return sorted(examples, key=unlike)


def _load(path: Path, model: type[M], data: Any) -> M:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "file"
        raise ValueError(f"{path}: {where}: {first['msg']}") from None
