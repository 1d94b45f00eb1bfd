"""What is read out of one report: values with the characters they stand on, findings, the report.

Every value follows one convention (spaCy's): ``text[start:end]`` is its evidence, offsets count
characters of the report as it was given.
"""

from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Span(NamedTuple):
    """A half-open run of characters of a text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Value(Generic[T_co]):
    """One extracted value and its evidence ``text[start:end]``."""

    value: T_co
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One statement of a report about the state of the bowel.

    ``kind`` is ``lesion``, ``normal`` or ``other``; ``concept`` names the finding inside its kind
    (``lesion``, ``normal``, ``diverticula``, …). ``negated`` holds whether the statement denies,
    with the span of the cue (an empty span where nothing denies). ``status`` is 1 for an
    abnormality that is present, 0 for a normal or denied one. ``site`` is the place as written;
    ``regions`` are the regions of `endoalign.vocabulary.REGIONS` it names, ``region`` the first of
    them; both are empty where the statement is about the whole bowel or names no place.
    ``size_cm`` is the largest diameter stated, ``count`` ``None`` where no number is stated.
    """

    start: int
    end: int
    kind: str
    concept: str
    negated: Value[bool]
    status: int
    site: Value[str] | None = None
    region: str | None = None
    regions: tuple[str, ...] = ()
    count: Value[int] | None = None
    size_cm: Value[float] | None = None
    paris: Value[str] | None = None
    descriptors: tuple[Value[str], ...] = ()


@dataclass(frozen=True, slots=True)
class Exam:
    """Which examination a text reports; ``kind`` is ``None`` when it is none, for ``reason``."""

    kind: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Eligibility:
    """Whether a report may enter training, why not, and the regions it says were seen."""

    eligible: bool
    reason: str | None
    regions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ParsedReport:
    """Everything the parser reads out of one report; spans point into ``text``."""

    text: str
    language: str
    sentences: tuple[Span, ...]
    findings: tuple[Finding, ...]
    polyp_positive: bool
    exam: Exam
    eligibility: Eligibility
