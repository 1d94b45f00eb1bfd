"""Whether a report is fit for training: whole organ, whole examination, landmarks seen.

EndoVLM leaves out examinations after surgery, incomplete procedures and reports that miss a
landmark. Its own rule (every one of the 9 colonic or 8 upper regions named) fits templated reports
only, so by default a colonoscopy must name the caecum, its valve or the terminal ileum, and a
gastroscopy the pylorus or the duodenum; ``every_region=True`` asks for all of them.
"""

from collections.abc import Iterable

from endoalign.reports.records import Eligibility, Exam
from endoalign.reports.terms import Mention
from endoalign.vocabulary import COLON_REGIONS, REGIONS, UPPER_REGIONS

_LANDMARKS = {
    "colonoscopy": ("ileocecal", "terminal_ileum"),
    "gastroscopy": ("pylorus", "duodenum"),
}
_ALL = {"colonoscopy": COLON_REGIONS, "gastroscopy": UPPER_REGIONS}


def decide_eligibility(
    exam: Exam, mentions: Iterable[Mention], sites: Iterable[Mention], every_region: bool = False
) -> Eligibility:
    """Judge a report from its document cues and the sites that it names."""
    named = {r for m in sites if isinstance(m.value, tuple) for r in m.value}
    regions = tuple(region for region in REGIONS if region in named)
    cues = {m.category for m in mentions}
    reason = _reason(exam, cues, named, every_region)
    return Eligibility(reason is None, reason, regions)


def _reason(exam: Exam, cues: set[str], named: set[str], every_region: bool) -> str | None:
    if exam.kind is None:
        return f"no examination: {exam.reason}"
    if "postoperative" in cues:
        return "post-operative anatomy"
    if "incomplete" in cues:
        return "incomplete examination"
    return _missing(exam.kind, cues, named, every_region)


def _missing(exam_kind: str, cues: set[str], named: set[str], every_region: bool) -> str | None:
    if exam_kind not in _LANDMARKS:
        return None
    if every_region:
        missing = [region for region in _ALL[exam_kind] if region not in named]
        return f"missing landmarks: {', '.join(missing)}" if missing else None
    landmarks = _LANDMARKS[exam_kind]
    seen = "complete" in cues or not named.isdisjoint(landmarks)
    return None if seen else f"missing landmarks: none of {', '.join(landmarks)}"
