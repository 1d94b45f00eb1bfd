"""Paris types written as codes: "0-Is", "Paris IIa", "type 0-Ip", "(0-IIa+IIc)".

A bare roman numeral needs its letter in the right case ("Is" at the start of a question is a verb);
"III" alone may be a grade of anything and needs "0-" or "Paris" before it. Of a combined type the
first part counts.
"""

import re

_CODE = re.compile(
    r"(?<![A-Za-z0-9])(?P<lead>(?i:paris)[^.;,。；，]{0,24}?|0[ -]?|(?i:type) )?"
    r"(?P<zero>0[ -]?)?"
    r"(?P<roman>III|Ⅲ|(?:II|Ⅱ|ⅱ)[ -]?[abcABC]|(?:I|Ⅰ|ⅰ|1)[ -]?(?:sp|SP|Sp|s|S|p|P))"
    r"(?![A-Za-z0-9])"
)
_LOWER = re.compile(r"(?<![a-z0-9])0[ -]?(i{1,3})[ -]?(sp|s|p|a|b|c)?(?![a-z0-9])")
_TYPES = {
    "ip": "0-Ip",
    "isp": "0-Isp",
    "is": "0-Is",
    "iia": "0-IIa",
    "iib": "0-IIb",
    "iic": "0-IIc",
    "iii": "0-III",
}
_FOLD = str.maketrans(
    {"Ⅰ": "I", "Ⅱ": "II", "Ⅲ": "III", "ⅰ": "I", "ⅱ": "II", "1": "I", " ": None, "-": None}
)


def find_paris_codes(cased: str) -> list[tuple[int, int, str]]:
    """Return ``(start, end, type)`` of every Paris code in text that keeps its capitals."""
    if "0" not in cased and "I" not in cased and "Ⅰ" not in cased and "Ⅱ" not in cased:
        return []
    found = []
    for match in _CODE.finditer(cased):
        led = bool(match["lead"] or match["zero"])
        roman = match["roman"]
        if not led and (roman in ("III", "Ⅲ") or roman[0] == "1" or " " in roman):
            continue
        if not led and roman.upper() == roman and roman[-1] in "SP":
            continue
        found.append((match.start(), match.end(), _TYPES[roman.translate(_FOLD).lower()]))
    if found:
        return found
    lower = ((m.start(), m.end(), (m[1] + (m[2] or ""))) for m in _LOWER.finditer(cased))
    return [(start, end, _TYPES[code]) for start, end, code in lower if code in _TYPES]
