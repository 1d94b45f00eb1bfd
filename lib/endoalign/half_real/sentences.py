"""Sentences of the half-real reports: a few of the true attributes, in varied words."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from endoalign.half_real import phrases
from endoalign.half_real.attributes import Attributes
from endoalign.half_real.phrases import Phrase

LEAST: Final = 3
"""Attributes that a sentence states at least, where so many are known."""

_WORDS: Final = {
    "size": phrases.SIZE,
    "outline": phrases.OUTLINE,
    "position": phrases.POSITION,
    "colour": phrases.COLOUR,
    "brightness": phrases.BRIGHTNESS,
    "margin": phrases.MARGIN,
}


@dataclass(frozen=True)
class Sentence:
    """A statement and what it says: names of the attributes stated, ``count``, descriptors.

    ``count`` is the number of polyps, as every sentence tells it.
    """

    text: str
    stated: tuple[str, ...]
    count: int
    descriptors: tuple[str, ...]


def write_sentence(attributes: Attributes, rng: np.random.Generator) -> Sentence:
    """State a random subset of at least three attributes of one view in one sentence.

    The number of several polyps counts as one of the three and is always stated.
    """
    known = [name for name in _WORDS if getattr(attributes, name) is not None]
    least = min(len(known), LEAST - (attributes.count > 1))
    chosen = rng.permutation(known)[: rng.integers(least, len(known) + 1)]
    stated = tuple(name for name in _WORDS if name in set(chosen))
    said = {name: _pick(_WORDS[name][getattr(attributes, name)], rng) for name in stated}
    descriptors = [phrases.DESCRIPTORS.get((name, getattr(attributes, name))) for name in stated]
    return Sentence(
        text=_assemble(said, attributes.count, rng),
        stated=stated,
        count=attributes.count,
        descriptors=tuple(d for d in descriptors if d is not None),
    )


def _assemble(said: dict[str, Phrase], count: int, rng: np.random.Generator) -> str:
    """Put the phrases into a sentence, adjectives and clauses in a random order each."""
    many = count > 1
    adjectives = [p.words for p in said.values() if p.slot == "adjective"]
    clauses = [p.words for p in said.values() if p.slot == "clause"]
    place = next((f" {p.words}" for p in said.values() if p.slot == "place"), "")
    adjectives, clauses = _shuffled(adjectives, rng), _shuffled(clauses, rng)
    noun = " ".join([", ".join(adjectives), "polyps" if many else "polyp"]).strip()
    words = phrases.FRAMES[rng.integers(len(phrases.FRAMES))].format(
        a=_number(count) if many else _article(noun),
        noun=noun,
        place=place,
        clauses="".join(f", {clause}" for clause in clauses).format(s="them" if many else "it"),
        **{"is": "are" if many else "is"},
    )
    return words[0].upper() + words[1:]


def _number(count: int) -> str:
    names = phrases.NUMBERS
    return names[count - 2] if count - 2 < len(names) else str(count)


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _shuffled(words: list[str], rng: np.random.Generator) -> list[str]:
    return [words[k] for k in rng.permutation(len(words))]


def _pick(options: tuple[Phrase, ...], rng: np.random.Generator) -> Phrase:
    return options[rng.integers(len(options))]
