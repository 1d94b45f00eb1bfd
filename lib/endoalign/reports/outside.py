"""The examination by finger or eye, which comes before the endoscope is in."""

from endoalign.reports.telling import Categories
from endoalign.reports.terms import Mention

_SCOPE_IN = ("inside", "course")
"""Categories of words that tell of the endoscope."""


def is_outside(outside: bool, own: Categories) -> bool:
    """Whether an examination by finger or eye is under way after this sentence's words."""
    starts = own.get("outside")
    if not (outside or starts):
        return False
    inside = [m.start for category in _SCOPE_IN for m in own.get(category, ())]
    inside += [m.start for m in own.get("site", ()) if _is_beyond_reach(m)]
    if starts:
        return not inside or max(inside) < starts[-1].start
    return outside and not inside


def _is_beyond_reach(site: Mention) -> bool:
    """Whether a site is one region that no finger reaches."""
    return isinstance(site.value, tuple) and len(site.value) == 1 and site.value != ("rectum",)
