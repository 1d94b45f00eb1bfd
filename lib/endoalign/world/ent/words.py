"""What is said of a picture: a description in English and Vietnamese that names all it shows.

The bilingual pair of the ENTRep data set is `Description` (Vietnamese) and `DescriptionEN`.
"""

import functools
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

import numpy as np
import yaml

from endoalign.world.ent.classes import check_findings, site_of

SLIGHT, MARKED = 0.35, 0.7
"""Severities below and from which a phrase may say so."""
_DEGREE_SHARE: Final = 0.4
_SIDE_SHARE: Final = 0.6

_UNTRUE: Final[dict[tuple[str, str], tuple[int, ...]]] = {
    ("nose", "discharge"): (1,),
    ("nose", "deviated_septum"): (2,),
    ("nose", "pale_turbinates"): (0, 3),
    ("nose", "enlarged_turbinate"): (3,),
    ("ear", "perforation"): (0, 1),
    ("ear", "effusion"): (1, 3),
    ("ear", "redness"): (1, 2, 3),
    ("ear", "cerumen"): (1, 2),
    ("vc", "nodules"): (0, 1, 2),
    ("vc", "polyp"): (0, 1, 2),
    ("vc", "oedema"): (0, 1),
    ("vc", "redness"): (0, 1),
    ("throat", "enlarged_tonsils"): (1,),
    ("throat", "exudate"): (1,),
    ("throat", "redness"): (0,),
}
"""Healthy statements, by place in the list of the site, that a finding makes untrue or unsure."""


@dataclass(frozen=True)
class Words:
    """A description in both languages, and the phrase of each finding on its own."""

    en: str
    vi: str
    phrases_en: tuple[str, ...]


def describe(
    ent_class: str, findings: tuple[str, ...], severity: float, rng: np.random.Generator
) -> Words:
    """Draw a description of what a picture of a class shows, true in every part.

    All findings are named, in a drawn order; healthy statements are added only where no finding
    makes them untrue. ``ValueError`` for an unknown class or a finding that it cannot show.
    """
    check_findings(ent_class, findings)
    bank, site = _bank(), site_of(ent_class)
    pairs = [
        _draw(_variants(bank["findings"][site][name], severity, rng), rng)
        for name in (findings[i] for i in rng.permutation(len(findings)))
    ]
    phrases = tuple(english for english, _ in pairs)
    wanted = int(rng.integers(1, 3)) if not findings else int(rng.integers(0, 2))
    healthy = _healthy(ent_class, findings)
    pairs += [healthy[i] for i in rng.permutation(len(healthy))[:wanted]]
    side = bank["sides"][ent_class] if rng.random() < _SIDE_SHARE else None
    return Words(
        _sentence([pair[0] for pair in pairs], side and side["en"]),
        _sentence([pair[1] for pair in pairs], side and side["vi"]),
        phrases,
    )


def _variants(
    phrases: dict[str, Any], severity: float, rng: np.random.Generator
) -> list[tuple[str, str]]:
    kind = "plain"
    if rng.random() < _DEGREE_SHARE:
        kind = "slight" if severity < SLIGHT else "marked" if severity >= MARKED else "plain"
    return list(zip(phrases[kind]["en"], phrases[kind]["vi"], strict=True))


def _draw(pairs: list[tuple[str, str]], rng: np.random.Generator) -> tuple[str, str]:
    return pairs[int(rng.integers(len(pairs)))]


def _healthy(ent_class: str, findings: tuple[str, ...]) -> list[tuple[str, str]]:
    site = site_of(ent_class)
    statements = _bank()["healthy"][ent_class if site == "vc" else site]
    untrue = {place for name in findings for place in _UNTRUE.get((site, name), ())}
    pairs = list(zip(statements["en"], statements["vi"], strict=True))
    return [pair for place, pair in enumerate(pairs) if place not in untrue]


def _sentence(parts: list[str], side: str | None) -> str:
    text = ", ".join(parts)
    if side is not None:
        text = f"{side}: {text}"
    return text[:1].upper() + text[1:]


@functools.cache
def _bank() -> dict[str, Any]:
    text = resources.files("endoalign.world.ent").joinpath("phrases.yaml").read_text("utf-8")
    bank: dict[str, Any] = yaml.safe_load(text)
    return bank
