"""Text under construction: statements are bracketed, so that offsets are found once, at the end.

A writer puts each statement between `OPEN` and `CLOSE` and hands its finding along in the same
order. Everything that changes letters (capitals, spelling, a typing error) happens before the
brackets are taken out, and the offsets come right by themselves.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from endoalign.world.truth import StatedFinding, WrittenReport

OPEN: Final = "⟦"
CLOSE: Final = "⟧"
_BRACKET = re.compile(f"([{OPEN}{CLOSE}])")
_FIRST_LETTER = re.compile(rf"^[{OPEN}(]*[a-z]")


@dataclass(frozen=True)
class Passage:
    """Bracketed text and the findings of its brackets, in order."""

    text: str
    findings: tuple[StatedFinding, ...] = ()


def stated(text: str) -> str:
    """``text`` as one statement."""
    return f"{OPEN}{text}{CLOSE}"


def join(separator: str, passages: Iterable[Passage]) -> Passage:
    """Passages one after the other; empty ones vanish."""
    kept = [passage for passage in passages if passage.text]
    text = separator.join(passage.text for passage in kept)
    return Passage(text, tuple(finding for passage in kept for finding in passage.findings))


def capitalise(text: str) -> str:
    """First letter in upper case, where the text begins with a letter."""
    return _FIRST_LETTER.sub(lambda match: match.group().upper(), text, count=1)


def to_report(passage: Passage) -> WrittenReport:
    """Take the brackets out and give each finding its offsets.

    Raises ``ValueError`` where brackets and findings differ in number.
    """
    parts = _BRACKET.split(passage.text)
    if parts.count(OPEN) != len(passage.findings) or parts.count(CLOSE) != len(passage.findings):
        raise ValueError(f"{parts.count(OPEN)} statements for {len(passage.findings)} findings")
    text, starts, ends = [], [], []
    position = 0
    for part in parts:
        if part == OPEN:
            starts.append(position)
        elif part == CLOSE:
            ends.append(position)
        else:
            text.append(part)
            position += len(part)
    spans = zip(passage.findings, starts, ends, strict=True)
    findings = (replace(finding, start=start, end=end) for finding, start, end in spans)
    return WrittenReport("".join(text), tuple(findings))
