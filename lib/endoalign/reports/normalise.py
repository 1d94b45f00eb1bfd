"""One form of a text for matching: same characters, one case, and a way back to the original.

Full-width letters, digits and signs become ASCII, odd blanks and dashes plain ones, one character
for one; only the correction of typing errors changes lengths, and then offsets are mapped.
"""

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass

from endoalign.reports.spelling import Spelling


def _character_table() -> dict[int, str]:
    table = {0x3000: " ", 0xA0: " ", 0x09: " ", 0x0D: "\n", 0x0B: " ", 0x0C: "\n", 0xD7: "x"}
    table |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    table |= dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2212), "-")
    table |= dict.fromkeys((0x2018, 0x2019), "'") | dict.fromkeys((0x201C, 0x201D), '"')
    table |= {0x2217: "*", 0x2A09: "x", 0x2715: "x", 0x223C: "~", 0x33A0: "c", 0x2103: "c"}
    return table


_TABLE = _character_table()
_OTHER_DIGIT = re.compile(r"[^\D0-9]")


@dataclass(frozen=True)
class Normalised:
    """``lower`` and ``cased`` have equal length; ``breaks`` and ``shifts`` lead back to the source.

    Position ``p`` of the normalised text is ``p + shifts[k]`` of the source, where ``breaks[k]`` is
    the last break at or before ``p``.
    """

    cased: str
    lower: str
    breaks: tuple[int, ...] = (0,)
    shifts: tuple[int, ...] = (0,)

    @property
    def is_plain(self) -> bool:
        """Whether positions are those of the source text."""
        return len(self.breaks) == 1

    def original(self, position: int) -> int:
        """Map a position of the normalised text to the source text."""
        if self.is_plain:
            return position
        return position + self.shifts[bisect_right(self.breaks, position) - 1]


def lower_same_length(text: str) -> str:
    """Lower-case ``text`` without changing its length (``İ`` and its like stay as they are)."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := c.lower()) == 1 else c for c in text)


def normalise(text: str, spelling: Spelling | None = None) -> Normalised:
    """Bring ``text`` into the form that is matched; correct typing errors where asked."""
    cased = text if text.isascii() and "\t" not in text and "\r" not in text else _translate(text)
    if spelling is not None:
        cased = spelling.replace_confusions(cased)
    lower = lower_same_length(cased)
    errors = spelling.errors(lower) if spelling else []
    if not errors:
        return Normalised(cased, lower)
    return _corrected(cased, lower, errors)


def _translate(text: str) -> str:
    text = text.translate(_TABLE)
    # `re` takes decimal digits of any script for digits: fold them.
    return _OTHER_DIGIT.sub(lambda match: str(unicodedata.decimal(match.group())), text)


def _corrected(cased: str, lower: str, errors: list[tuple[int, int, str]]) -> Normalised:
    cased_parts, lower_parts, breaks, shifts = [], [], [0], [0]
    at = length = 0
    for start, end, word in errors:
        cased_parts += [cased[at:start], word]
        lower_parts += [lower[at:start], word]
        length += start - at + len(word)
        # Inside the word offsets run along with its start; its last letter maps to its end.
        breaks.append(length)
        shifts.append(end - length)
        at = end
    return Normalised(
        "".join([*cased_parts, cased[at:]]),
        "".join([*lower_parts, lower[at:]]),
        tuple(breaks),
        tuple(shifts),
    )
