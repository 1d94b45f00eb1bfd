"""Which earlier finding a noun points back to: "the polyp", "both polyps", "a snare removed it"."""

from endoalign.reports.draft import Draft
from endoalign.reports.groups import are_alike
from endoalign.reports.sentence import Sentence


def meant(lesions: list[Draft], sentence: Sentence) -> list[Draft]:
    """The lesions a sentence points back to: the last, or all where it says "both" or "all"."""
    is_plural = sentence.grammar.points_to_all.match(sentence.text, sentence.start)
    return lesions if is_plural else lesions[-1:]


def is_same(draft: Draft, earlier: Draft) -> bool:
    """Whether a definite lesion is the one stated before it: nothing puts it elsewhere."""
    if not draft.is_present_lesion or not draft.definite:
        return False
    if not draft.regions or not earlier.regions:
        return True
    return not set(draft.regions).isdisjoint(earlier.regions)


def is_known(draft: Draft, earlier: list[Draft]) -> bool:
    """Whether "the haemorrhoids", or a lesion that is dealt with, are those already stated."""
    if not draft.present or not (draft.definite or _is_treated(draft)):
        return False
    stated = [d for d in earlier if d.present and d.sentence.section == draft.sentence.section]
    if any(are_alike(d.concept, draft.concept) and _may_be_one(d, draft) for d in stated):
        return True
    if draft.kind == "other":
        return False
    # "The lesion" may be an ulcer.
    return bool(stated) and draft.definite and draft.is_bare


def _is_treated(draft: Draft) -> bool:
    """Whether a sentence tells nothing of a lesion but that it was treated."""
    if draft.kind != "lesion" or not draft.is_bare:
        return False
    sentence = draft.sentence
    is_new = sentence.grammar.new_one.search(sentence.text, sentence.start, draft.end)
    treated = sentence.grammar.treated.search(sentence.text, sentence.start, sentence.end)
    return treated is not None and is_new is None


def _may_be_one(earlier: Draft, draft: Draft) -> bool:
    """Whether neither place nor size tells a finding from an earlier one."""
    if draft.size and earlier.size and draft.size.value != earlier.size.value:
        return False
    apart = draft.regions and earlier.regions and set(draft.regions).isdisjoint(earlier.regions)
    return not apart
