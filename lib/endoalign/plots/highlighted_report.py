"""A report as HTML, with each finding and each extracted value marked in the text."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

COLOURS: Final = {
    "lesion": "#f6d5cf",
    "normal": "#d9e8dc",
    "other": "#f4e6c6",
    "negated": "#e3e7eb",
}


@dataclass(frozen=True)
class Mark:
    """A stretch ``[start, end)`` of the text: a finding of some kind, or a value inside one."""

    start: int
    end: int
    label: str
    kind: str


def highlighted_report(text: str, findings: Sequence[Mark], values: Sequence[Mark]) -> str:
    """HTML of the report: findings as coloured stretches, values underlined with a label.

    Args:
        findings: marks whose ``kind`` is a key of `COLOURS`; they must not overlap.
        values: marks inside the findings, shown with their ``label`` as a small caption.

    Raises:
        ValueError: a mark lies outside the text.
    """
    for mark in (*findings, *values):
        if not 0 <= mark.start <= mark.end <= len(text):
            raise ValueError(f"mark {mark.start}..{mark.end} outside a text of {len(text)}")
    openings: dict[int, list[str]] = {}
    closings: dict[int, list[str]] = {}
    for mark in sorted(findings, key=lambda m: m.start):
        openings.setdefault(mark.start, []).append(_finding_tag(mark))
        closings.setdefault(mark.end, []).append("</span>")
    for mark in sorted(values, key=lambda m: (m.start, -m.end)):
        openings.setdefault(mark.start, []).append('<u style="text-underline-offset:3px">')
        closings.setdefault(mark.end, []).insert(0, f"</u>{_caption(mark.label)}")
    edges = sorted({0, len(text), *openings, *closings})
    parts = []
    for edge, following in zip(edges, [*edges[1:], len(text)], strict=True):
        parts += closings.get(edge, []) + openings.get(edge, [])
        parts.append(html.escape(text[edge:following]))
    body = "".join(parts)
    style = (
        "white-space:pre-wrap;line-height:1.75;font-size:13px;max-width:60em;"
        "border-left:3px solid #8fa3b0;padding:2px 12px;margin:10px 0"
    )
    return f'<div style="{style}">{body}</div>'


def legend() -> str:
    """HTML line that explains the colours."""
    style = "padding:1px 8px;border-radius:3px;color:#22303c"
    chips = (
        f'<span style="background:{colour};{style}">{name}</span>'
        for name, colour in COLOURS.items()
    )
    return '<p style="font-size:12px">' + " ".join(chips) + "</p>"


def _finding_tag(mark: Mark) -> str:
    colour = COLOURS[mark.kind]
    style = f"background:{colour};color:#22303c;border-radius:3px;padding:1px 2px"
    return f'<span style="{style}" title="{html.escape(mark.label)}">'


def _caption(label: str) -> str:
    style = "font-size:9px;color:#b5493a;margin:0 2px"
    return f'<sub style="{style}">{html.escape(label)}</sub>'
