"""The fixed clinical schema of an answer: propositions with region and status."""

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from endoalign.reports.triplets.aliases import EXAM_REGIONS
from endoalign.vocabulary import REGIONS

PROMPTS: Final = Path(__file__).with_name("prompts")
_SCHEMA: Final[dict[str, Any]] = yaml.safe_load(
    (PROMPTS / "schema.yaml").read_text(encoding="utf-8")
)
_FINDINGS: Final = _SCHEMA["properties"]["findings"]
_FIELDS: Final = _FINDINGS["items"]["properties"]


class AnsweredFinding(BaseModel):
    """One triplet (s, a, h) of EndoVLM's section 2.1, as a model writes it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    proposition: str = Field(pattern=_FIELDS["proposition"]["pattern"])
    region: str
    status: Literal["normal", "abnormal"]

    @field_validator("region")
    @classmethod
    def _known_region(cls, name: str) -> str:
        if name not in REGIONS:
            raise ValueError(f"unknown region {name!r}; known are {', '.join(REGIONS)}")
        return name


class Answer(BaseModel):
    """All findings of one report."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    findings: list[AnsweredFinding] = Field(max_length=_FINDINGS["maxItems"])


def read_answer(text: str, exam_type: str) -> Answer:
    """Validate a model's answer.

    Raises:
        ValueError: it is no JSON, breaks the schema, or names a region of another examination.
    """
    try:
        answer = Answer.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "answer"
        raise ValueError(f"{where}: {first['msg']}") from None
    for finding in answer.findings:
        if finding.region not in EXAM_REGIONS[exam_type]:
            raise ValueError(f"{finding.region} is no region of a {exam_type}")
    return answer


def finished_part(text: str) -> str:
    """The answer cut down to its finished findings: what is left where the tokens ran out.

    Nothing is made up to complete a finding: one that is not finished is dropped.
    """
    decoder, findings = json.JSONDecoder(), list[object]()
    opened = text.find("[")
    at = text.find("{", opened) if opened >= 0 else -1
    while at >= 0:
        try:
            finding, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            break
        findings.append(finding)
        at = text.find("{", end)
    return json.dumps({"findings": findings}, ensure_ascii=False)


@cache
def json_schema(exam_type: str) -> str:
    """The JSON Schema for answers on one examination, as text; its regions are 8 or 9."""
    schema = deepcopy(_SCHEMA)
    fields = schema["properties"]["findings"]["items"]["properties"]
    fields["region"]["enum"] = list(EXAM_REGIONS[exam_type])
    return json.dumps(schema)
