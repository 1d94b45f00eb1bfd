"""Hand-made labels of the findings in a set of notes: offsets and values, no text of a note."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from endoalign.corpus.validation import CorpusError


class LabelledFinding(BaseModel):
    """One finding that a person marked: ``text[start:end]`` states it.

    ``regions`` are all acceptable ones, empty where the statement names no place; ``repeats`` is
    the index of an earlier finding of the note that this one only says again.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    start: int = Field(ge=0)
    end: int = Field(ge=0)
    kind: str
    negated: bool
    count: int | None
    size_cm: float | None
    site_start: int | None
    site_end: int | None
    regions: list[str]
    paris: str | None
    descriptors: list[str]
    repeats: int | None = None


class LabelledNote(BaseModel):
    """One note: whether it reports an examination (else why not), its part, its findings."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: str
    examination: bool
    why_not: str | None
    part: str
    findings: list[LabelledFinding]


class LabelledNotes(BaseModel):
    """All labelled notes of one source file."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    source: str
    notes: list[LabelledNote]


def load_labels(path: Path) -> LabelledNotes:
    """Read a file of labels.

    Raises:
        CorpusError: naming the file, the key and what would be right.
    """
    try:
        return LabelledNotes.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise CorpusError(f"{path}: {key or 'the file'}: {first['msg']}") from None
    except OSError as error:
        raise CorpusError(f"{path}: cannot be read: {error.strerror}") from None
