"""The sites of an EndoVLM report: a header line, then one ``Site: text`` line a site."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from endoalign.datasets.class_names import ENDOVLM_REGIONS
from endoalign.vocabulary import COLON_REGIONS, UPPER_REGIONS

REGIONS_OF: Final = {"gastroscopy": UPPER_REGIONS, "colonoscopy": COLON_REGIONS}
"""Regions of an examination, in the order of its abnormality flags."""
_LINE: Final = re.compile(r"\s*([^:：.,;，。]{1,40}?)\s*[:：]\s*(.*)")


@dataclass
class SiteTexts:
    """``texts`` by region, those without words left out; names that are ``unknown``."""

    texts: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)


def site_texts(report: str, exam_type: str) -> SiteTexts:
    """Return what a report says of each region of its examination.

    A line without a site's name goes on with the site before it; a line above the first site is
    the header. A site named twice has both texts. A name is unknown that is no region, or none of
    this examination.

    Args:
        report: ``endo_report`` of EndoVLM's JSONL.
        exam_type: ``gastroscopy`` or ``colonoscopy``.
    """
    found, lines = SiteTexts(), dict[str, list[str]]()
    current: list[str] | None = None
    for number, line in enumerate(report.splitlines()):
        match = _LINE.fullmatch(line)
        if match is None:
            if current is not None:
                current.append(line)
            continue
        name, text = match.groups()
        region = ENDOVLM_REGIONS.find(name)
        if region in REGIONS_OF[exam_type]:
            current = lines.setdefault(str(region), [])
            current.append(text)
        elif number > 0 or text.strip():  # a header may be a word and a colon
            found.unknown.append(name)
            current = None
    found.texts = {region: text for region, of in lines.items() if (text := _joined(of))}
    return found


def _joined(lines: Iterable[str]) -> str:
    return " ".join(line.strip() for line in lines if line.strip())
