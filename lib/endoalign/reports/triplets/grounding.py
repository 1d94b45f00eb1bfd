"""Whether a proposition is borne out by the words of a report, and where.

A language model may shorten or join what a report says; it may not add to it. A proposition is
grounded where one short stretch of the report holds its numbers, its denials and nearly all of its
other words; words without meaning of their own do not count, and a denial stands in one sentence
with another of the words. That a statement got the wrong region
or status, or lost its denial, is not seen here: `agreement` measures that.
"""

import re
from collections import Counter
from typing import Final, NamedTuple

import yaml

from endoalign.reports.normalise import normalise
from endoalign.reports.records import Span
from endoalign.reports.triplets.schema import PROMPTS

_TOKEN: Final = re.compile(r"\d+(?:\.\d+)?|[a-z]+|[\u4e00-\u9fff]|(?P<end>[.;!?。\n])")
_WORDS: Final[dict[str, list[str]]] = yaml.safe_load(
    (PROMPTS / "words.yaml").read_text(encoding="utf-8")
)
_WITHOUT_MEANING: Final = frozenset(_WORDS["without_meaning"])
_DENYING: Final = frozenset(_WORDS["denying"])
_STRETCH: Final = 3
"""Length of the stretch, in words, as a multiple of the proposition's."""
_LEAST_STRETCH: Final = 12


class _Token(NamedTuple):
    word: str
    start: int
    end: int
    sentence: int


def find_ground(proposition: str, text: str, share: float) -> Span | None:
    """The stretch of ``text`` that bears ``proposition`` out, ``None`` if none does.

    Args:
        share: how many of the proposition's words with a meaning the stretch must hold, in (0, 1].

    Returns:
        Offsets into ``text`` from the first to the last of those words.
    """
    wanted, tokens = _tokens(proposition), _tokens(text)
    if not wanted:
        return None
    best = _best_stretch(Counter(t.word for t in wanted), len(wanted), tokens)
    if best is None:
        return None
    held, first, last = best
    if held < share * len(wanted) or not _binds(wanted, tokens[first : last + 1]):
        return None
    return Span(tokens[first].start, tokens[last].end)


def _binds(wanted: list[_Token], stretch: list[_Token]) -> bool:
    """Whether a stretch holds what changes the meaning: every number, and every denial in place."""
    words = {t.word for t in wanted}
    about = {t.sentence for t in stretch if t.word in words - _DENYING}
    held = Counter(t.word for t in stretch if t.word not in _DENYING or t.sentence in about)
    binding = (t.word for t in wanted if t.word[0].isdigit() or t.word in _DENYING)
    return not Counter(binding) - held


def _tokens(text: str) -> list[_Token]:
    """The words of a text that have a meaning, with the number of their sentence."""
    tokens, sentence = [], 0
    for match in _TOKEN.finditer(normalise(text).lower):
        if match["end"]:
            sentence += 1
        elif match[0] not in _WITHOUT_MEANING:
            tokens.append(_Token(match[0], match.start(), match.end(), sentence))
    return tokens


def _best_stretch(
    wanted: Counter[str], length: int, tokens: list[_Token]
) -> tuple[int, int, int] | None:
    """The stretch that holds most of the words wanted, the shortest of those: held, first, last."""
    width = max(_STRETCH * length, _LEAST_STRETCH)
    best: tuple[int, int, int] | None = None
    for first, token in enumerate(tokens):
        if token.word not in wanted:
            continue
        left, held = wanted.copy(), 0
        for last in range(first, min(first + width, len(tokens))):
            word = tokens[last].word
            if left[word] > 0:
                left[word] -= 1
                held += 1
                shorter = best is None or (held, first - last) > (best[0], best[1] - best[2])
                if shorter:
                    best = (held, first, last)
    return best
