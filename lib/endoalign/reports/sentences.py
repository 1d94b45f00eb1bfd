"""Cutting a report into sentences, by rules that hold for dictated and typed notes.

A full stop ends a sentence unless it stands in a number ("0.5 cm"), after an abbreviation, after a
single initial or after the number of a list item; a semicolon ends one too, since it divides
statements in reports. A line break ends one where a paragraph, a list item or a new statement
begins, not where a line was merely wrapped.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence

from endoalign.reports.records import Span

_TITLES = frozenset(("dr", "mr", "mrs", "ms", "st", "pt")) | frozenset(
    ("vs", "no", "approx", "fig", "ca", "e.g", "i.e", "eg", "ie", "resp", "incl", "avg")
)
"""Abbreviations that never end a sentence."""
_UNITS = frozenset(
    ("cm", "mm", "cc", "ml", "mg", "asc", "desc", "trans", "prox", "dist", "diam", "max", "min")
)
"""Abbreviations that end a sentence where a capital follows."""
_ENDS = re.compile(
    r"[.!?]+(?=[\s\"')\]]|$|[A-Z\u4e00-\u9fff])|[。！？；!?]|;(?=[\s\u4e00-\u9fff])"
    r"|\n(?=[ \t]*(?:\n|$|\d{1,2}[.)、]|[(（]\d{1,2}[)）]|[-*•·]|[A-Z\u4e00-\u9fff【]))"
)
_LONGEST_WORD = 8
_LAST_WORD = re.compile(r"[A-Za-z0-9.]+\Z")
_NEXT = re.compile(r"[\s\"')\]]*(\S?)")
_LETTER = re.compile(r"[^\W_]")


def split_sentences(text: str, breaks: Sequence[int] = ()) -> list[Span]:
    """Return the sentences of ``text`` as spans, blanks at both ends trimmed.

    ``text`` keeps its capitals (they tell a sentence's start); ``breaks`` are further positions
    where a sentence starts, such as the ends of headings.
    """
    cuts = {match.end() for match in _ENDS.finditer(text) if _ends_here(text, match)}
    spans, start = [], 0
    for cut in sorted(cuts.union(breaks) | {len(text)}):
        span = _trimmed(text, start, cut)
        if span is not None:
            spans.append(span)
        start = cut
    return spans


def _ends_here(text: str, match: re.Match[str]) -> bool:
    mark = match.group()
    if mark[0] != ".":
        return True
    word = _word_before(text, match.start())
    if word.isdigit():
        return not _is_list_number(text, match.start() - len(word))
    if word in _TITLES:
        return False
    is_initial = len(word) == 1 and word.isalpha()
    if is_initial or word in _UNITS or "." in word:
        follows = _NEXT.match(text, match.end())
        letter = follows[1] if follows else ""
        return not (letter.isupper() if is_initial else letter.islower() or letter in ",;)")
    return True


def _word_before(text: str, end: int) -> str:
    """Return the word (lower case, inner full stops kept) that ends at ``end``."""
    word = _LAST_WORD.search(text, max(0, end - _LONGEST_WORD), end)
    return word.group().lower() if word else ""


def _is_list_number(text: str, start: int) -> bool:
    before = text[max(0, start - 3) : start].strip(" \t")
    return before == "" or before[-1] in "\n:;.("


def _trimmed(text: str, start: int, end: int) -> Span | None:
    piece = text[start:end].lstrip()
    trimmed = piece.rstrip()
    if not (trimmed[:1].isalpha() or _LETTER.search(trimmed)):
        return None
    return Span(end - len(piece), end - len(piece) + len(trimmed))


def slices(starts: Sequence[int], spans: Sequence[Span]) -> list[tuple[int, int]]:
    """For each span, the index range of sorted ``starts`` that fall inside it."""
    if not starts:
        return [(0, 0)] * len(spans)
    return [(bisect_left(starts, start), bisect_left(starts, end)) for start, end in spans]
