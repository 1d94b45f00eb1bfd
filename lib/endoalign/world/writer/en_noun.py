"""English noun phrases of a lesion: "a 6 mm smooth, reddish sessile polyp (Paris 0-Is)"."""

import random

from endoalign.world.writer.en_words import (
    BANK,
    paris_type,
    paris_word,
    size_words,
    with_article,
)
from endoalign.world.writer.statements import LesionStatement

_SIZE_BEFORE = 0.65  # "a 6 mm polyp" rather than "a polyp measuring 6 mm"


def in_paris_word(name: str, statement: LesionStatement) -> bool:
    """Whether the type in words says the descriptor already: "flat elevated" says flat."""
    return name == "flat" and statement.paris == "0-IIa" and statement.paris_form != "type"


def noun_phrase(
    statement: LesionStatement, before: list[str], rng: random.Random, *, size: bool, paris: bool
) -> str:
    """Noun with all that stands before it, and the Paris type or size that may follow it."""
    noun = rng.choice(BANK["flat_nouns" if statement.lesions[0].paris == "0-IIa" else "nouns"])
    adjectives = [rng.choice(BANK["descriptors"][name]["before"]) for name in before]
    if statement.colour in BANK["colours"]:
        adjectives.append(rng.choice(BANK["colours"][statement.colour]))
    place = ""
    if statement.site is not None and statement.site.form == "adjective":
        place, noun = rng.choice(BANK["sites"][statement.site.region]["adjective"]), "polyp"
    sizes = {True: "", False: ""}  # before the noun, after it
    small = smallness(statement, rng) if rng.random() < 0.25 or not statement.size else ""
    if statement.size is not None and size:
        is_before = rng.random() < _SIZE_BEFORE
        sizes[is_before] = size_words(statement.size, rng, before_noun=is_before)
        if not is_before:
            sizes[False] = size_in(rng.choice(BANK["size_after"]), sizes[False], statement)
    words = [small, sizes[True], ", ".join(adjectives), paris_word(statement, rng), place]
    noun = BANK["plural"][noun] if statement.count > 1 else noun
    phrase = " ".join(filter(None, [*words, noun]))
    type_name = paris_type(statement, rng) if paris else ""
    after = [f"({type_name})" if type_name else "", sizes[False]]
    counted = f"two {phrase}" if statement.count > 1 else with_article(phrase)
    return " ".join(filter(None, [counted, *after]))


def size_in(frame: str, size: str, statement: LesionStatement) -> str:
    """A size in its frame; two diameters are not "in diameter"."""
    if statement.size is not None and statement.size.form == "product":
        frame = frame.removesuffix(" in diameter")
    return frame.format(size=size)


def smallness(statement: LesionStatement, rng: random.Random) -> str:
    """A word for the size, or ""; without a number only the plain ones, which claim no figure."""
    largest = max(lesion.size_cm for lesion in statement.lesions) * 10
    words = next(words for limit, words in BANK["smallness"].items() if largest <= limit)
    usable = [word for word in words if statement.size or word in {"small", "large"}]
    return rng.choice(usable) if usable else ""
