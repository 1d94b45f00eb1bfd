"""Diagnoses after the examination count only where the body does not already state them."""

from endoalign.reports.draft import Draft
from endoalign.reports.groups import are_alike
from endoalign.reports.sites import are_near


def without_repeats(drafts: list[Draft]) -> list[Draft]:
    """Drop findings of a ``diagnosis`` section that some finding of the body states.

    What an examination without the endoscope found (section ``outside``) is dropped too, yet counts
    as stated.

    A lesion is stated by a lesion in a region in common, or by any where one side names no region;
    another abnormality by one of its concept; a denial by any denial or "normal" in the body, and
    "normal" by anything: it sums the body up.
    """
    body = [d for d in drafts if d.sentence.section != "diagnosis"]
    kept = list(body)
    for draft in drafts:
        if draft.sentence.section == "diagnosis" and not any(_states(b, draft) for b in kept):
            kept.append(draft)
    inside = [d for d in kept if d.sentence.section != "outside"]
    return sorted(inside, key=lambda d: (d.start, d.end))


def _states(earlier: Draft, draft: Draft) -> bool:
    if draft.kind == "normal":
        return earlier.sentence.section == "body" or not earlier.present
    if draft.denial is not None and not earlier.present:
        return True
    if earlier.kind != draft.kind or (earlier.denial is None) != (draft.denial is None):
        return False
    if (
        draft.kind == "other"
        and draft.denial is None
        and not are_alike(earlier.concept, draft.concept)
    ):
        return False
    if not earlier.regions or not draft.regions:
        return True
    # A summary is coarser than the body: neighbours count as the same.
    return are_near(earlier.regions, draft.regions)
