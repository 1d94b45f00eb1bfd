"""Typing errors: words of a report one edit away from a word of the lexicon are read as that word.

Candidates are found by deletion: two words within one edit (insertion, deletion, substitution or
swap of neighbours) share a string that each yields by dropping at most one letter. The distance is
Damerau's (1964), bounded by 1; the first letter must agree, since typing rarely errs there.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

_WORD = re.compile(r"[a-z]{4,}")
_SHORTEST = 5
"""Letters of the shortest word that is corrected to."""
_SUBSTITUTION_FROM = 8
"""Letters from which a wrong letter counts; in shorter words it mostly makes another word."""
_MEMORY = 50_000


def within_one_edit(a: str, b: str) -> bool:
    """Whether ``a`` becomes ``b`` by at most one insertion, deletion, substitution or swap."""
    if len(a) > len(b):
        a, b = b, a
    if len(b) - len(a) > 1:
        return False
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    if len(a) < len(b):
        return a[at:] == b[at + 1 :]
    swapped = a[at : at + 2] == b[at : at + 2][::-1] and a[at + 2 :] == b[at + 2 :]
    return a[at + 1 :] == b[at + 1 :] or swapped


def _deletions(word: str) -> set[str]:
    return {word} | {word[:i] + word[i + 1 :] for i in range(len(word))}


def _is_slip(word: str, right: str) -> bool:
    """Whether ``word`` reads as a slip of ``right``; endings differ by grammar, not by error."""
    if word[0] != right[0] or not within_one_edit(word, right):
        return False
    if len(word) != len(right):
        return word[:-1] != right and right[:-1] != word
    if sorted(word) == sorted(right):
        return True
    return len(word) >= _SUBSTITUTION_FROM and word[:-1] != right[:-1]


class Spelling:
    """Corrects single words against a closed vocabulary, remembering every word it has met."""

    def __init__(
        self,
        words: Iterable[str],
        known: Iterable[str] = (),
        confusions: Mapping[str, str] | None = None,
    ) -> None:
        """Index ``words`` (targets of correction).

        ``known`` words are right as they stand; ``confusions`` lists wrong spellings with the right
        ones of the same length.
        """
        self._confusions = dict(confusions or {})
        self._confused = re.compile("|".join(map(re.escape, self._confusions)) or r"(?!)")
        targets = sorted({w for w in words if len(w) >= _SHORTEST})
        self._index: dict[str, list[str]] = defaultdict(list)
        for word in targets:
            for key in _deletions(word):
                self._index[key].append(word)
        self._longest = max(map(len, targets), default=0) + 1
        self._known = dict.fromkeys([*targets, *known], "")

    def replace_confusions(self, text: str) -> str:
        """Replace the listed wrong spellings; the length stays the same."""
        return self._confused.sub(lambda match: self._confusions[match.group()], text)

    def correct(self, word: str) -> str:
        """Return the lexicon's word meant by ``word`` (lower case), or "" to leave it alone."""
        found = self._known.get(word)
        if found is not None:
            return found
        if len(word) > self._longest:
            return ""
        candidates = {c for key in _deletions(word) for c in self._index.get(key, ())}
        close = sorted(c for c in candidates if _is_slip(word, c))
        answer = close[0] if close else ""
        if len(self._known) < _MEMORY:
            self._known[word] = answer
        return answer

    def errors(self, text: str) -> list[tuple[int, int, str]]:
        """Find ``(start, end, right word)`` of every misspelt lexicon word of lower-case text."""
        known = self._known
        unknown = [w for w in set(_WORD.findall(text)) if known.get(w) != "" and self.correct(w)]
        if not unknown:
            return []
        pattern = re.compile(rf"(?<![a-z])(?:{'|'.join(unknown)})(?![a-z])")
        return [(m.start(), m.end(), self.correct(m.group())) for m in pattern.finditer(text)]
