"""The parts of a lexicon: what each group of terms in its YAML file may hold."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

SectionKind = Literal["body", "diagnosis", "reason", "excluded", "aside", "apart", "name"]
ExamKind = Literal["colonoscopy", "gastroscopy", "ent"]
NoExamKind = Literal["surgery", "information", "consultation"]

Terms = list[str]
"""Terms in the notation of ``terms.expand``."""


class Strict(BaseModel):
    """A part without unknown keys that never changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Other(Strict):
    """An abnormality that is no lesion; ``regions`` is where the word alone puts it."""

    terms: Terms
    regions: tuple[str, ...] = ()


class Area(Strict):
    """Names of a stretch of several regions; no region means the whole bowel."""

    terms: Terms
    regions: tuple[str, ...]


class Distances(Strict):
    """How far from ``reference``, or in gastroscopy from the incisors, each region reaches, in cm.

    ``phrases`` are the words around a distance, so that the anus named there is no site.
    """

    reference: Terms
    phrases: Terms
    upto_cm: dict[str, float]
    from_incisors_cm: dict[str, float]


class Sizes(Strict):
    """Units (cm each), words for a size (cm), and the company that makes a length no size."""

    units: dict[str, float]
    words: dict[float, Terms]
    instruments: Terms
    places: Terms


class Negation(Strict):
    """Cues before and after what they deny, cues on one word, and where a denial ends."""

    before: Terms
    word: Terms
    after: Terms
    itself: Terms
    stops: Terms


class Excluded(Strict):
    """Words that make a sentence state the past or a plan; ``earlier`` ones do so for a noun."""

    earlier: Terms
    history: Terms
    plan: Terms


class Outside(Strict):
    """Where an examination without the endoscope starts, and what ends it."""

    start: Terms
    end: Terms


class Section(Strict):
    """One kind of section and the words of a heading that announce it."""

    kind: SectionKind
    terms: Terms


class ExamCues(Strict):
    """Terms that name an examination, and terms that describe it being done."""

    named: Terms
    done: Terms


class Eligible(Strict):
    """Terms that make an examination ineligible."""

    postoperative: Terms
    incomplete: Terms
    complete: Terms


class Spelled(Strict):
    """Words one letter from a term that are no typing errors, and frequent wrong spellings.

    ``confusions`` maps a wrong spelling to the right one of the same length.
    """

    known: Terms = []
    confusions: dict[str, str] = Field(default_factory=dict)

    @field_validator("confusions")
    @classmethod
    def _lengths_agree(cls, value: dict[str, str]) -> dict[str, str]:
        uneven = [wrong for wrong, right in value.items() if len(wrong) != len(right)]
        if uneven:
            raise ValueError(f"{', '.join(uneven)}: wrong and right must have the same length")
        return value
