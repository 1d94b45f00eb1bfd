"""Which examination a text reports, and the reason when it is none."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from endoalign.reports.records import Exam
from endoalign.reports.terms import Mention
from endoalign.vocabulary import COLON_REGIONS, EXAM_TYPES

_NO_EXAM = {
    "surgery": "surgery: no endoscopic examination is described",
    "information": "information for patients",
    "consultation": "consultation without an examination by endoscope",
}
_WEIGHT = 3
"""Words against an examination that one account of the endoscope at work outweighs."""


class Evidence(NamedTuple):
    """Sentences of the body: with the endoscope on its way, a finding, a finding of a place."""

    on_its_way: int
    stating: int
    placed: int


def decide_exam(cues_met: Iterable[Mention], sites: Sequence[Mention], told: Evidence) -> Exam:
    """Name the examination from the lexicon's cues, else from the sites that its body names.

    A scope that looked at the gut makes a text an examination, whatever else it tells: words of
    surgery or of a consultation must outnumber it by far, words of advice to patients by one. The
    mere name of an examination stands against words of surgery only, findings of places against
    those of a consultation. Lower goes before upper where both were done.
    """
    cues = Counter((m.category, str(m.value)) for m in cues_met)
    done = [kind for kind in EXAM_TYPES if cues["exam_done", kind]]
    named = [kind for kind in EXAM_TYPES if cues["exam_named", kind]]
    works = max(sum(cues["exam_done", kind] for kind in done), told.on_its_way)
    against = {
        "surgery": cues["no_exam", "surgery"] - _WEIGHT * (works + bool(named)),
        "information": cues["no_exam", "information"] - works,
        "consultation": cues["no_exam", "consultation"] - _WEIGHT * works - told.placed,
    }
    strongest = max(against, key=lambda kind: against[kind])
    if against[strongest] > 0:
        return Exam(None, _NO_EXAM[strongest])
    if done:
        return Exam(done[0], "describes its course")
    if named:
        return Exam(named[0], "names it")
    return _by_sites(sites, told)


def _by_sites(sites: Sequence[Mention], told: Evidence) -> Exam:
    regions = [r for m in sites if isinstance(m.value, tuple) for r in m.value]
    if regions:
        colon = sum(region in COLON_REGIONS for region in regions)
        kind = "colonoscopy" if 2 * colon >= len(regions) else "gastroscopy"
        return Exam(kind, "names regions of the organ")
    if sites or told.stating:
        return Exam("colonoscopy", "states findings, no other organ")
    return Exam(None, "neither an endoscope nor a finding is mentioned")
