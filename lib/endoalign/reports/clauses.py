"""Cutting a sentence into pieces, one a finding.

Between two groups of heads the sentence is cut at the separator that most likely starts the second
one's own words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from endoalign.reports.grammar import Grammar
from endoalign.reports.groups import Group


@dataclass(frozen=True, slots=True)
class Piece:
    """A group with its share ``text[start:end]`` of the sentence."""

    group: Group
    start: int
    end: int


def cut_pieces(
    text: str, start: int, end: int, groups: Sequence[Group], grammar: Grammar
) -> list[Piece]:
    """Share the sentence ``text[start:end]`` among its groups."""
    pieces, left = [], start
    for group, following in pairwise(groups):
        cut = _cut(text, group, following, grammar)
        pieces.append(Piece(group, left, cut))
        left = cut
    return [*pieces, Piece(groups[-1], left, end)]


def _cut(text: str, group: Group, following: Group, grammar: Grammar) -> int:
    left, right = group.end, following.start
    denial = following.denial
    if denial is not None and left <= denial.start < right:
        right = denial.start
    if group.denial is not None and left <= group.denial.start < right:
        left = group.denial.end
    best, best_rank = right, 0
    for match in grammar.separator.finditer(text, left, right):
        rank = 3 if match["strong"] else 2 if grammar.starts_new.match(text, match.end()) else 1
        if rank >= best_rank:
            best, best_rank = match.start(), rank
    return best
