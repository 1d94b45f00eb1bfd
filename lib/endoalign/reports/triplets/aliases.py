"""One table of names for the regions and the examinations, whatever file or model uses them."""

import difflib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import yaml

from endoalign.reports.lexicon import load_lexicon
from endoalign.reports.terms import expand
from endoalign.vocabulary import COLON_REGIONS, LANGUAGES, REGIONS, UPPER_REGIONS

EXAM_REGIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "gastroscopy": UPPER_REGIONS,
    "colonoscopy": COLON_REGIONS,
}
"""The landmarks of each examination: 8 of the upper tract, 9 of the colon."""

_FILE: Final = Path(__file__).with_name("aliases.yaml")
_BLANKS: Final = re.compile(r"[\s_-]+")


def region_named(name: str) -> str:
    """Canonical name of the region that ``name`` means ("Angulus" is ``angularis``).

    Raises:
        ValueError: no region has that name; the message lists the known regions and the nearest.
    """
    return _look_up(name, region_aliases(), REGIONS, "region")


def exam_named(name: str) -> str:
    """Canonical name of the examination that ``name`` means ("colonscopy" is ``colonoscopy``).

    Raises:
        ValueError: it is neither a gastroscopy nor a colonoscopy; the message lists both.
    """
    return _look_up(name, exam_aliases(), tuple(EXAM_REGIONS), "examination")


@cache
def region_aliases() -> Mapping[str, str]:
    """Every name of a region -> its canonical name.

    Canonical names come first, then ``aliases.yaml``, then the lexicons' terms of sites.
    """
    table = _aliases("regions", REGIONS)
    for language in LANGUAGES:
        for region, terms in load_lexicon(language).sites.items():
            for term in terms:
                for phrase in expand(term):
                    table.setdefault(_key(phrase), region)
    return table


@cache
def exam_aliases() -> Mapping[str, str]:
    """Every name of a gastroscopy or a colonoscopy -> its canonical name."""
    return _aliases("exams", tuple(EXAM_REGIONS))


def _aliases(group: str, known: tuple[str, ...]) -> dict[str, str]:
    given: dict[str, list[str]] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))[group]
    table = {_key(name): name for name in known}
    for canonical, names in given.items():
        for name in names:
            other = table.setdefault(_key(name), canonical)
            if canonical not in known or other != canonical:
                raise ValueError(f"{_FILE.name}: {group}.{canonical}: {name!r} already is {other}")
    return table


def _look_up(name: str, aliases: Mapping[str, str], known: tuple[str, ...], what: str) -> str:
    found = aliases.get(_key(name))
    if found is None:
        near = difflib.get_close_matches(_key(name), aliases, n=1, cutoff=0.6)
        hint = f" (nearest: {near[0]!r})" if near else ""
        raise ValueError(f"unknown {what} {name!r}{hint}; known are {', '.join(known)}")
    return found


def _key(name: str) -> str:
    return _BLANKS.sub(" ", name).strip().casefold()
