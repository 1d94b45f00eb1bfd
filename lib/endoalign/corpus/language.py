"""The language of a report, by its script."""

import re
from typing import Final

CHINESE_SHARE: Final = 0.2
"""Share of Han characters among all letters from which a report is Chinese.

English reports hardly hold any; Chinese ones keep a few Latin abbreviations and units.
"""

_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def language_of(text: str) -> str:
    """Return ``zh`` for a text mostly in Chinese characters, else ``en`` (as for no text)."""
    letters = sum(map(str.isalpha, text))
    return "zh" if letters and len(_HAN.findall(text)) / letters >= CHINESE_SHARE else "en"
