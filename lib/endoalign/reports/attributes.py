"""The attributes of one finding, read from its piece of the sentence."""

from collections.abc import Iterable

from endoalign.reports.clauses import Piece
from endoalign.reports.negation import denial_of
from endoalign.reports.records import Value
from endoalign.reports.sentence import Sentence
from endoalign.reports.sizes import Measure
from endoalign.reports.terms import Mention

_DEEP_CM = 5.0
"""A length from here on, right behind a site, is taken for a depth."""


def size_of(sentence: Sentence, piece: Piece) -> Value[float] | None:
    """The largest size in the piece; a size in words only where no number is given."""
    measures = [
        m
        for m in sentence.measures
        if m.kind == "size" and piece.start <= m.start and m.end <= piece.end
    ]
    sizes = [Value(m.cm, m.start, m.end) for m in measures if not _is_depth(sentence, m, measures)]
    if not sizes:
        words = within(sentence.by_category.get("size", ()), piece.start, piece.end)
        # "Diminutive" gives way to a length that is written out.
        exact = [m for m in words if not sentence.text[m.start : m.end].isalpha()] or words
        sizes = [Value(float(str(m.value)), m.start, m.end) for m in exact]
    return max(sizes, key=lambda v: v.value, default=None)


def _is_depth(sentence: Sentence, measure: Measure, others: list[Measure]) -> bool:
    """Whether a length right behind a site is a depth ("rectum 7 cm: …") and not the size."""
    behind = any(0 <= measure.start - p.end <= 2 for p in sentence.places)
    announces = sentence.text[measure.end : measure.end + 2].lstrip().startswith((":", "-"))
    return behind and (announces or len(others) > 1 or measure.cm >= _DEEP_CM)


def paris_of(sentence: Sentence, piece: Piece) -> Value[str] | None:
    """The Paris type in the piece: a code before a word, the word nearest to the head."""
    codes = [Value(t, s, e) for s, e, t in sentence.codes if piece.start <= s and e <= piece.end]
    if codes:
        return codes[0]
    head = piece.group
    words = [
        m
        for m in within(sentence.by_category.get("paris", ()), piece.start, piece.end)
        if denial_of(sentence.denials, m.start, m.end) is None
    ]
    if not words:
        return None
    best = min(words, key=lambda m: abs(m.start - head.start))
    return Value(str(best.value), best.start, best.end)


def descriptors_of(sentence: Sentence, piece: Piece) -> tuple[Value[str], ...]:
    """Every descriptor that the piece asserts of the lesion, each once, by position."""
    found: dict[str, Value[str]] = {}
    for mention in within(sentence.by_category.get("descriptor", ()), piece.start, piece.end):
        if sentence.denials and denial_of(sentence.denials, mention.start, mention.end):
            continue
        if sentence.grammar.surroundings.search(
            sentence.text, max(piece.start, mention.start - 36), mention.start
        ):
            continue
        name = str(mention.value)
        found.setdefault(name, Value(name, mention.start, mention.end))
    return tuple(found.values())


def within(mentions: Iterable[Mention], start: int, end: int) -> list[Mention]:
    """The mentions that lie inside ``start:end``."""
    return [m for m in mentions if start <= m.start and m.end <= end]
