"""English statements of a lesion: a noun phrase with its site, features and a second sentence."""

import random
from dataclasses import dataclass

from endoalign.world.writer.en_noun import in_paris_word, noun_phrase, size_in
from endoalign.world.writer.en_words import (
    BANK,
    denial_item,
    feature_clauses,
    feature_items,
    join_and,
    site_phrase,
    size_words,
    tidy,
)
from endoalign.world.writer.markup import CLOSE, Passage, capitalise
from endoalign.world.writer.statements import LesionStatement

_SECOND_SENTENCE = {"narrative": 0.3, "numbered": 0.25, "segments": 0.15, "academic": 0.45}


@dataclass(frozen=True)
class Description:
    """Parts of one statement; any but ``head`` may be empty."""

    head: str
    site: str
    tail: str
    second: str


def lesion_sentence(
    statement: LesionStatement, style: str, rng: random.Random, *, inside: bool = False
) -> Passage:
    """One lesion as a sentence without its full stop, in a frame of the style.

    ``inside`` a paragraph headed by the region, the region's name is left out.
    """
    parts = describe(statement, style, rng, inside=inside)
    topic = "lesion_frames" if parts.site else "lesion_frames_without_site"
    frame = rng.choice(BANK[topic][style])
    text = frame.format(head=parts.head, site=parts.site, tail=parts.tail)
    if statement.count > 1:
        text = text.replace(" was ", " were ")
    if parts.second:
        text = text.replace(CLOSE, f". {capitalise(parts.second)}{CLOSE}")
    return Passage(tidy(text), (statement.finding(),))


def lesion_pair(first: LesionStatement, second: LesionStatement, rng: random.Random) -> Passage:
    """Two findings in one sentence."""
    texts = []
    for statement in (first, second):
        parts = describe(statement, "pair", rng)
        texts.append(f"{parts.head} {parts.site}{parts.tail}")
    if first.count == second.count == 1 and rng.random() < 0.35:
        texts[1] = "another " + texts[1].split(" ", 1)[1]
    text = rng.choice(BANK["pairs"]).format(first=texts[0], second=texts[1])
    if first.count > 1:
        text = text.replace("there was ", "there were ").replace("⟧ was ", "⟧ were ")
    return Passage(tidy(text), (first.finding(), second.finding()))


def describe(
    statement: LesionStatement, style: str, rng: random.Random, *, inside: bool = False
) -> Description:
    """Choose the words of one statement and where each attribute goes."""
    said = [name for name in statement.descriptors if not in_paris_word(name, statement)]
    rng.shuffle(said)
    before = [name for name in said if "before" in BANK["descriptors"][name]]
    wanted = rng.choice((0, 1, 1, 2)) + ("flat" in before)
    before = sorted(before, key=lambda name: name != "flat")[:wanted]
    rest = [name for name in said if name not in before]
    second = statement.count == 1 and rng.random() < _SECOND_SENTENCE.get(style, 0.0)
    later_size = second and statement.size is not None and rng.random() < 0.6
    later_paris = second and statement.paris_form != "word" and rng.random() < 0.3
    head = noun_phrase(statement, before, rng, size=not later_size, paris=not later_paris)
    colour = [rng.choice(BANK["colour_items"]["mucosal"])] if statement.colour == "mucosal" else []
    tail, sentence = "", ""
    if second:
        sentence = _second_sentence(
            statement, rest, colour, rng, size=later_size, paris=later_paris
        )
    if not sentence:
        tail = _tail(statement, feature_items(rest, rng) + colour + denial_item(statement))
    return Description(head, _place(statement, rng, inside=inside), tail, sentence)


def _tail(statement: LesionStatement, items: list[str]) -> str:
    if not items:
        return ""
    if items[0].startswith("no ") and len(items) == 1:
        return f" without {items[0].removeprefix('no ')}"
    return f", each with {join_and(items)}," if statement.count > 1 else f" with {join_and(items)}"


def _second_sentence(
    statement: LesionStatement,
    rest: list[str],
    colour: list[str],
    rng: random.Random,
    *,
    size: bool,
    paris: bool,
) -> str:
    """What the first sentence left out: "it measured 6 mm and had a smooth surface"."""
    clauses = []
    if size and statement.size is not None:
        clauses.append(
            size_in(rng.choice(BANK["size_verbs"]), size_words(statement.size, rng), statement)
        )
    if paris and statement.paris is not None:
        clauses.append(f"was classified as Paris {statement.paris}")
    if rest and not colour and rng.random() < 0.4:
        subject = [f"it {join_and(clauses)}"] if clauses else []
        denied = [f"{item} was seen" for item in denial_item(statement)]
        return join_and(subject + feature_clauses(rest, rng) + denied)
    items = feature_items(rest, rng) + colour + denial_item(statement)
    if items:
        verb = "showed" if items[0].startswith("no ") else rng.choice(("had", "had", "showed"))
        clauses.append(f"{verb} {join_and(items)}")
    return f"{rng.choice(('it', 'it', 'the lesion'))} {join_and(clauses)}" if clauses else ""


def _place(statement: LesionStatement, rng: random.Random, *, inside: bool) -> str:
    place = site_phrase(statement.site, rng, inside=inside)
    if statement.clock is None:
        return place
    return f"{place} {rng.choice(BANK['clock']).format(hour=statement.clock)}".strip()
