"""Which language a report is written in."""

import re

_CHINESE = re.compile(r"[\u4e00-\u9fff]")


def detect_language(text: str) -> str:
    """Tell Chinese from English by script: ``zh`` when Chinese characters are a tenth or more."""
    if text.isascii():
        return "en"
    return "zh" if 10 * len(_CHINESE.findall(text)) > len(text) else "en"
