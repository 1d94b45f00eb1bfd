"""What a sentence tells of: this examination, the endoscope on its way, or the past and plans."""

from endoalign.reports.grammar import Grammar
from endoalign.reports.records import Span
from endoalign.reports.terms import Mention

Categories = dict[str, list[Mention]]
"""The mentions of a sentence by category."""
STATING = frozenset(("lesion", "other", "normal"))
"""Categories of words that state something of the organ."""


def says_something(own: Categories) -> bool:
    """Whether a sentence names an abnormality, or calls something of the organ normal."""
    is_normal = "normal" in own and ("site" in own or "subject" in own)
    return "lesion" in own or "other" in own or is_normal


def without_rectum(own: Categories) -> Categories:
    """Leave out the sites that only a colonoscope sees where the same words mean others.

    In a retroflexed view it sees the rectum, a gastroscope the cardia; in Chinese the dentate line
    (齿状线) of an oesophagus is the Z line.
    """
    kept = {category: mentions for category, mentions in own.items() if category != "implied"}
    sites = [mention for mention in kept.pop("site", ()) if mention.value != ("rectum",)]
    return kept | {"site": sites} if sites else kept


def is_on_its_way(text: str, span: Span, own: Categories, grammar: Grammar) -> bool:
    """Whether the sentence ``span`` of ``text`` has the endoscope on its way through the body."""
    return "inside" in own and grammar.moved.search(text, span.start, span.end) is not None


def told_end(text: str, span: Span, own: Categories, grammar: Grammar) -> int | None:
    """Where a sentence turns to plans or the past, its end if it does not, ``None`` if it is that.

    What it states in a clause before that one counts, if that clause says where or has a verb: "a
    mass in the cecum, referred for surgery".
    """
    if "history" not in own and "plan" not in own:
        return span.end
    turn = min(own[category][0].start for category in ("history", "plan") if category in own)
    stated = [m.end for c in STATING for m in own.get(c, ()) if m.end <= turn]
    boundaries = (
        [m.start() for m in grammar.boundary.finditer(text, min(stated), turn)] if stated else []
    )
    if not boundaries:
        return None
    end = boundaries[-1]
    is_placed = any(m.start < end for m in own.get("site", ()))
    return end if is_placed or grammar.finite.search(text, span.start, end) else None
