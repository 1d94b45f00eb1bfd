"""How many lesions a statement means: articles, numerals, number words, classifiers.

"A polyp" and a bare singular are one; "several", "multiple" and a bare plural say no number.
"""

import re
from collections.abc import Sequence

from endoalign.reports.records import Value
from endoalign.reports.terms import Mention

_ARTICLE = re.compile(r"(?<![a-z])(?:a|an|another|additional|the|this|first|second|third)(?![a-z])")
_DIGITS = re.compile(
    r"(?<![\d.,\-x*#a-z])(\d{1,2})(?![\d.,]|[ -]{0,2}(?:x|\*|to|mm|cm|m|c)(?![a-z])|-?\d)"
)
_CLASSIFIERS = "[枚个颗处粒块]"
_AFTER = re.compile(
    r" ?(?:[x×] ?(\d{1,2})(?!\d)|\( ?(?:n ?= ?)?(\d{1,2}) ?\)"
    rf"|(?:共|约)?(\d{{1,2}}) ?{_CLASSIFIERS})"
)
_CLASSIFIED = re.compile(rf"(\d{{1,2}}|[一二两三四五六七八九十单]) ?{_CLASSIFIERS}")
_NUMERALS = {c: i + 1 for i, c in enumerate("一二三四五六七八九十")} | {"两": 2, "单": 1}
_VAGUE = re.compile(
    r"(?<![a-z])(?:few|several|multiple|many|numerous|various|some|more)(?![a-z])"
    rf"|[数多]{_CLASSIFIERS}|散在|多发"
)
_NOUN_PHRASE = 90
"""Characters before a noun in which its number is looked for."""
_LARGEST = 60
"""A larger number before a noun counts something else."""


def is_plural(head: str) -> bool:
    """Whether an English head noun is plural by its ending."""
    return head.endswith("s") and not head.endswith(("ss", "sis", "us"))


def count_of(
    text: str, left: int, head: Mention, right: int, numerals: Sequence[Mention]
) -> Value[int] | None:
    """Read the number of the head from ``text[left:head.start]`` or right behind it."""
    after = _AFTER.match(text, head.end, right)
    if after:
        return _value(after, next(i for i in (1, 2, 3) if after[i]))
    left = max(left, head.start - _NOUN_PHRASE)
    nearest = max(_numbers(text, left, head.start, numerals), key=lambda n: n.start, default=None)
    vague = _last(_VAGUE, text, left, head.start)
    plural = is_plural(text[head.start : head.end])
    if nearest is not None and (vague is None or nearest.start > vague.start()):
        return None if plural and nearest.value == 1 else nearest
    if vague is not None or plural:
        return None
    if not text[head.start].isascii():
        return _classified_behind(text, head.end, right)
    article = _last(_ARTICLE, text, left, head.start)
    return Value(1, *(article.span() if article else (head.start, head.end)))


def _numbers(text: str, left: int, right: int, numerals: Sequence[Mention]) -> list[Value[int]]:
    numbers = [
        Value(int(str(m.value)), m.start, m.end) for m in numerals if left <= m.start < right
    ]
    for pattern in (_DIGITS, _CLASSIFIED):
        numbers += [_value(match, 1) for match in pattern.finditer(text, left, right)]
    return [number for number in numbers if 0 < number.value <= _LARGEST]


def _classified_behind(text: str, start: int, right: int) -> Value[int] | None:
    match = _CLASSIFIED.search(text, start, min(right, start + 4))
    return _value(match, 1) if match else None


def _value(match: re.Match[str], group: int) -> Value[int]:
    word = match[group]
    number = _NUMERALS[word] if word in _NUMERALS else int(word)
    return Value(number, match.start(group), match.end(group))


def _last(pattern: re.Pattern[str], text: str, start: int, end: int) -> re.Match[str] | None:
    last = None
    for last in pattern.finditer(text, start, end):  # noqa: B007
        pass
    return last
