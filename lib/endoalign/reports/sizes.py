"""Sizes in cm: numbers with units, ranges, products, and words.

A range ("3-5 mm") and a product ("4x3 mm") both give their largest number: of a range it is the
bound that guides management, of a product the largest diameter. "Diminutive" means 5 mm or less
and gives 0.5. A length beside an instrument or a place ("15 mm snare", "advanced to 90 cm") is no
size.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from endoalign.reports.lexicon import Lexicon
from endoalign.reports.terms import expand

_DISTANCE_CM = 1.0
"""Shorter than this, a length after "at" is no distance from the anal verge."""
_LARGEST_CM = 15.0
"""No polyp is larger: a longer length is a distance or an instrument."""


class Measure(NamedTuple):
    """A length in a text: its largest value in cm; ``kind`` is ``size`` or ``distance``."""

    start: int
    end: int
    cm: float
    kind: str


class MeasureFinder:
    """Finds lengths in normalised lower-case text."""

    def __init__(self, lexicon: Lexicon) -> None:
        """Build the patterns from the lexicon's units, instruments, places and references."""
        self._units: Mapping[str, float] = lexicon.sizes.units
        unit = _either(self._units)
        number = r"(?:\d{1,3}(?:[.,]\d{1,2})?|\.\d{1,2})"
        with_unit = rf"(?: ?-? ?{unit})"
        joint = r" ?-? ?(?:x|\*|by|to|and|or|versus|vs|-|~|/|至|到|乘) ?-?"
        self._pattern = re.compile(
            rf"(?<![\d.,a-z#:/]){number}{with_unit}?(?:{joint} ?{number}{with_unit}?){{0,2}}"
            r"(?<![\d.]) ?(?![a-z\d])"
        )
        self._product = re.compile(r"[x*乘]|by")
        self._part = re.compile(rf"({number})(?: ?-? ?({unit}))?")
        after = _either(_spread(lexicon.sizes.instruments))
        reference = _either(_spread(lexicon.distances.reference))
        gap = r"(?:[ -][a-z]+){0,2}[ -]?"
        self._is_distance_after = re.compile(
            rf"[ ]?(?:from|of|above|proximal to|inside|ab) (?:the )?{reference}"
        )
        self._is_instrument = re.compile(rf"{gap}(?:{after})(?![a-z])")
        self._is_place_before = re.compile(
            rf"(?<![a-z])(?:{_either(_spread(lexicon.sizes.places))}) ?$"
        )
        self._is_measured = re.compile(r"(?:measur|estimat)[a-z]{0,4} (?:[a-z]+ )?$")
        self._is_distance_before = re.compile(r"(?:距|离)[^,。;]{0,6}$")

    def find(self, text: str) -> list[Measure]:
        """Return every length of ``text`` in order; lengths of instruments are left out.

        A distance takes its words with it: "30 cm from the anus".
        """
        measures = []
        for match in self._pattern.finditer(text):
            for start, end, cm in self._lengths(match):
                measure = self._judge(text, start, end, cm)
                if measure is not None:
                    measures.append(measure)
        return measures

    def _lengths(self, match: re.Match[str]) -> list[tuple[int, int, float]]:
        """Read ranges and products as their largest length; "52 cm - 4 x 3 mm" are two lengths."""
        parts = list(self._part.finditer(match.group()))
        units = [part[2] for part in parts if part[2]]
        if not units:
            return []
        unit, lengths = units[-1], []
        for part in reversed(parts):
            unit = part[2] or unit
            cm = round(float(part[1].replace(",", ".")) * self._units[unit], 4)
            lengths.append((match.start() + part.start(), match.start() + part.end(), cm))
        lengths.reverse()
        joined = [lengths[0]]
        for (start, end, cm), part in zip(lengths[1:], parts, strict=False):
            gap = match.string[joined[-1][1] : start]
            falls = cm < joined[-1][2] and part[2] and not self._product.search(gap)
            if falls:
                joined.append((start, end, cm))
            else:
                joined[-1] = (joined[-1][0], end, max(joined[-1][2], cm))
        return joined

    def _judge(self, text: str, start: int, end: int, cm: float) -> Measure | None:
        before = text[max(0, start - 24) : start]
        after = self._is_distance_after.match(text, end)
        if after:
            return Measure(start, after.end(), cm, "distance")
        lead = self._is_distance_before.search(before)
        if lead:
            return Measure(start - len(before) + lead.start(), end, cm, "distance")
        is_place = self._is_place_before.search(before) and not self._is_measured.search(before)
        if is_place and cm >= _DISTANCE_CM:
            return Measure(start, end, cm, "distance")
        if cm > _LARGEST_CM or cm <= 0 or self._is_instrument.match(text, end):
            return None
        return Measure(start, end, cm, "size")


def _spread(terms: Iterable[str]) -> list[str]:
    return [phrase for term in terms for phrase in expand(term)]


def _either(words: Iterable[str]) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return f"(?:{'|'.join(re.escape(word) for word in longest_first)})"
