"""English words and small phrases of the report writer: articles, lists, sizes, sites, features."""

import random
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from endoalign.world.writer.markup import CLOSE
from endoalign.world.writer.phrase_bank import phrases
from endoalign.world.writer.size import SizeStatement, number
from endoalign.world.writer.statements import LesionStatement, SiteStatement

BANK: Final[dict[str, Any]] = phrases("en")
_AN = re.compile(r"(?:[aeio]|u(?!ni)|8|11 |11-|18)", re.IGNORECASE)
_LOOSE_COMMA = re.compile(rf"\s*,\s*(?=[{CLOSE}.,;]|$)")
_GAP = re.compile(rf" +(?=[ {CLOSE},.;])")


def with_article(phrase: str) -> str:
    """``phrase`` behind "a" or "an", as its first sound asks: a 6 mm, an 8 mm, an eroded."""
    return f"{'an' if _AN.match(phrase) else 'a'} {phrase}"


def join_and(items: Sequence[str]) -> str:
    """Items in a row: "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]])) if items else ""


def tidy(text: str) -> str:
    """Take out the double spaces and loose commas that empty parts of a frame leave behind."""
    return _GAP.sub("", _LOOSE_COMMA.sub("", text)).strip()


def size_words(size: SizeStatement, rng: random.Random, *, before_noun: bool = False) -> str:
    """A size as written: "6 mm", "6-mm", "six-millimetre", "0.6 x 0.5 cm", "4 to 5 mm"."""
    numbers = [number(value, size.unit) for value in size.millimetres]
    if size.words and size.millimetres[0] < len(BANK["numbers"]):
        word = BANK["numbers"][size.millimetres[0]]
        return f"{word}-millimetre" if before_noun else f"{word} {_millimetres(size)}"
    if size.form == "product":
        return f"{rng.choice((' x ', ' x ', 'x', ' × ', ' by ')).join(numbers)} {size.unit}"
    if size.form == "range":
        return f"{rng.choice(('-', '-', ' to ')).join(numbers)} {size.unit}"
    hyphen = before_noun and rng.random() < 0.15
    return f"{numbers[0]}{'-' if hyphen else ' '}{size.unit}"


def _millimetres(size: SizeStatement) -> str:
    return "millimetre" if size.millimetres[0] == 1 else "millimetres"


def in_region(region: str, rng: random.Random) -> str:
    """The region's name behind its preposition: "in the rectum", "at the hepatic flexure"."""
    site = BANK["sites"][region]
    return f"{site['preposition']} the {rng.choice(site['name'])}"


def site_phrase(site: SiteStatement | None, rng: random.Random, *, inside: bool = False) -> str:
    """Where, as a phrase; ``inside`` a paragraph headed by the region, only what it adds."""
    if site is None or (site.form == "adjective" and not inside):
        return ""
    place = ""
    if site.form == "third":
        third = rng.choice(
            BANK["thirds"]["rectum" if site.region == "rectum" else "colon"][site.third]
        )
        names = BANK["sites"][site.region]
        place = f"in its {third} part" if inside else f"in the {third} {rng.choice(names['name'])}"
    elif site.form == "distance":
        place = rng.choice(BANK["distance"]["alone"])
    elif site.form == "name_distance" and inside:
        place = rng.choice(BANK["distance"]["inside"])
    elif site.form == "name_distance":
        place = in_region(site.region, rng) + rng.choice(BANK["distance"]["after_name"])
    elif not inside:
        place = in_region(site.region, rng)
    return place.format(cm=site.distance)


def feature_items(names: Iterable[str], rng: random.Random) -> list[str]:
    """Descriptors as things a lesion has: "a smooth, congested surface", "a narrow base"."""
    surface, items = [], []
    for name in names:
        entry = BANK["descriptors"][name]
        if "surface" in entry and ("item" not in entry or rng.random() < 0.4):
            surface.append(rng.choice(entry["surface"]))
        else:
            items.append(rng.choice(entry["item"]))
    if surface:
        glue = ", " if items or len(surface) > 2 else rng.choice((", ", " and "))
        items.insert(0, with_article(f"{glue.join(surface)} surface"))
    return items


def feature_clauses(names: Iterable[str], rng: random.Random) -> list[str]:
    """Descriptors as clauses: "the surface was smooth and congested", "the base was broad"."""
    surface, clauses = [], []
    for name in names:
        entry = BANK["descriptors"][name]
        if "surface" in entry and ("item" not in entry or rng.random() < 0.6):
            surface.append(rng.choice(entry["surface"]))
        elif "predicate" in entry:
            clauses.append(rng.choice(entry["predicate"]))
        else:
            clauses.append(f"{rng.choice(entry['item'])} was seen")
    first = [f"the surface was {join_and(surface)}"] if surface else []
    return first + clauses


def denial_item(statement: LesionStatement) -> list[str]:
    """What a lesion is said not to have: "no erosion or ulceration"."""
    words = [BANK["denials"][name][0] for name in statement.denied]
    return [f"no {' or '.join(words)}"] if words else []


def paris_type(statement: LesionStatement, rng: random.Random, topic: str = "type") -> str:
    """The type as written, or "" where the report gives none or only a word."""
    if statement.paris is None or statement.paris_form == "word":
        return ""
    frame: str = rng.choice(BANK["paris"][topic])
    return frame.format(type=statement.paris, bare=statement.paris.removeprefix("0-"))


def paris_word(statement: LesionStatement, rng: random.Random) -> str:
    """The type in words ("sessile"), or "" where the report gives none or only the type."""
    if statement.paris is None or statement.paris_form == "type":
        return ""
    return str(rng.choice(BANK["paris"]["word"][statement.paris]))


def american(text: str) -> str:
    """British spelling turned into American."""
    for british, other in BANK["american"].items():
        text = text.replace(british, other)
    return text
