"""One typing error in a report now and then: in a word, never in a number or a short word."""

import random
import re
from typing import Final

TYPO_SHARE: Final = 0.10  # of the reports
_WORD = re.compile(r"(?<![A-Za-z-])[a-z]{5,}(?![A-Za-z-])")
_KEPT: Final = {"without", "normal"}  # an error there would change what the sentence says
_HOMOPHONES: Final = {
    "光滑": "光华",
    "充血": "冲血",
    "乙状": "已状",
    "距肛门": "据肛门",
    "边界": "边届",
    "结肠": "结场",
    "直径": "直经",
    "清晰": "清淅",
    "纹理": "文理",
    "颗粒": "颗立",
    "基底": "基低",
    "糜烂": "糜滥",
    "息肉": "息内",
    "切除": "切处",
    "复查": "复察",
}


def mistype(text: str, language: str, rng: random.Random) -> str:
    """``text`` with one error: two letters swapped, one lost or doubled; a wrong homophone in zh.

    Statement brackets stay where they are. Text without a word that can take an error is returned
    as it is.
    """
    if language == "zh":
        present = [word for word in _HOMOPHONES if word in text]
        if not present:
            return text
        word = rng.choice(present)
        places = [match.start() for match in re.finditer(word, text)]
        place = rng.choice(places)
        return text[:place] + _HOMOPHONES[word] + text[place + len(word) :]
    words = [match for match in _WORD.finditer(text) if match.group() not in _KEPT]
    if not words:
        return text
    match = rng.choice(words)
    return text[: match.start()] + _slip(match.group(), rng) + text[match.end() :]


def _slip(word: str, rng: random.Random) -> str:
    """One slip inside the word: the first and the last letter stay."""
    place = rng.randrange(1, len(word) - 2)
    kind = rng.choice(("swap", "lose", "double"))
    if kind == "swap" and word[place] != word[place + 1]:
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    if kind == "lose":
        return word[:place] + word[place + 1 :]
    return word[: place + 1] + word[place:]
