"""Finding the lexicon's terms in a text: one regular expression built as a trie of all of them.

A trie costs one branch a letter instead of one a term, so a scan takes the same time for a lexicon
of fifty terms or five thousand. The longest term wins; a term may play several roles.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Role(NamedTuple):
    """What a term means: its ``category`` (lesion, site, …) and the ``value`` in it."""

    category: str
    value: object


class Mention(NamedTuple):
    """A term met in a text, ``text[start:end]``, in one of its roles."""

    start: int
    end: int
    category: str
    value: object


_ESCAPES = str.maketrans({"\ue000": "(", "\ue001": ")", "\ue002": "-"})
_ALTERNATIVES = re.compile(r"\(([^()]*)\)")
_BLANKS = re.compile(r"[\s-]+")


def expand(term: str) -> list[str]:
    """Write out the alternatives of a term: ``polyp(s|)`` is ``polyps`` and ``polyp``.

    Groups may nest; hyphens count as blanks; a backslash keeps a bracket or hyphen as a sign. The
    result is in lower case, without duplicates.
    """
    term = term.replace(r"\(", "\ue000").replace(r"\)", "\ue001").replace(r"\-", "\ue002")
    pending, done = [term.lower()], []
    while pending:
        text = pending.pop()
        group = _ALTERNATIVES.search(text)
        if group is None:
            done.append(_BLANKS.sub(" ", text).strip().translate(_ESCAPES))
        else:
            head, tail = text[: group.start()], text[group.end() :]
            pending += [head + option + tail for option in group[1].split("|")]
    return sorted({phrase for phrase in done if phrase})


def trie_pattern(phrases: Iterable[str]) -> str:
    """Build the source of a regular expression that matches the longest of ``phrases``."""
    root: dict[str, dict] = {}  # type: ignore[type-arg]
    for phrase in phrases:
        node = root
        for letter in phrase:
            node = node.setdefault(letter, {})
        node[""] = {}
    return _node_pattern(root)


def _node_pattern(node: Mapping[str, Mapping]) -> str:  # type: ignore[type-arg]
    branches = [_letter(c) + _node_pattern(n) for c, n in sorted(node.items()) if c]
    if not branches:
        return ""
    body = branches[0] if len(branches) == 1 and "" not in node else f"(?:{'|'.join(branches)})"
    return body + "?" if "" in node else body


def _letter(letter: str) -> str:
    return r"[ \n\-] ?" if letter == " " else re.escape(letter)


class TermScanner:
    """Finds every term of a table ``phrase -> roles`` in lower-case text."""

    def __init__(self, roles: Mapping[str, tuple[Role, ...]], whole_words: bool) -> None:
        """Compile the trie; ``whole_words`` asks for word boundaries (not in Chinese)."""
        self._roles = dict(roles)
        pattern = trie_pattern(roles) or r"(?!)"
        # With the boundary behind the whole group, a failed long match falls back to a shorter one.
        edges = (r"(?<![a-z0-9])", r"(?![a-z0-9])") if whole_words else ("", "")
        self._pattern = re.compile(f"{edges[0]}(?:{pattern}){edges[1]}")

    def scan(self, text: str) -> list[Mention]:
        """Return the mentions of ``text`` by start, leftmost and longest, one for each role."""
        mentions = []
        lookup, new = self._roles.get, tuple.__new__  # the tuple's own is twice as fast
        for match in self._pattern.finditer(text):
            phrase = match.group()
            roles = lookup(phrase) or self._roles[_BLANKS.sub(" ", phrase)]
            start, end = match.span()
            for category, value in roles:
                mentions.append(new(Mention, (start, end, category, value)))
        return mentions
