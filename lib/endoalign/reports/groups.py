"""Heads that state one finding together.

A head is the noun that states a finding. Heads that one statement names together ("no polyps,
masses or diverticula"; "a polyp versus a lymphoid aggregate") form one group.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from endoalign.reports.grammar import Grammar
from endoalign.reports.negation import Denial, denial_of
from endoalign.reports.sites import Place
from endoalign.reports.terms import Mention

_CLAUSE = 60
"""Characters between two signs of one process at most."""
UNSPECIFIED = "unspecified"
"""Concept of nouns that name no particular abnormality; see ``others`` in the lexicon."""
MUCOSAL = frozenset(
    (
        *("inflammation", "edema", "erythema", "friability", "erosion", "ulceration", "ulcer"),
        *("bleeding", "vascular_pattern", "abnormality", UNSPECIFIED, "ileitis", "proctitis"),
        *("proctosigmoiditis", "esophagitis", "gastritis", "duodenitis", "z_line"),
    )
)
"""Concepts that describe one process of the mucosa; listed together they are one finding."""


@dataclass(slots=True)
class Group:
    """Heads that state one finding together, with the denial that covers them, if any."""

    heads: list[Mention]
    kind: str
    denial: Denial | None

    @property
    def start(self) -> int:
        """Where the first head starts."""
        return self.heads[0].start

    @property
    def end(self) -> int:
        """Where the last head ends."""
        return self.heads[-1].end


def concept(head: Mention) -> str:
    """Name what a head states inside its kind."""
    return head.value[0] if isinstance(head.value, tuple) else str(head.value)


def are_alike(concept: str, other: str) -> bool:
    """Whether two names of abnormalities may mean one: signs of the mucosa stand for each other."""
    signs = MUCOSAL - {"bleeding"}
    return concept == other or (concept in signs and other in signs)


def group_heads(
    text: str,
    heads: Sequence[Mention],
    denials: Sequence[Denial],
    places: Sequence[Place],
    grammar: Grammar,
) -> list[Group]:
    """Put heads that belong to one statement together, in order of position."""
    if len(heads) == 1:
        return [Group([heads[0]], heads[0].category, denial_of(denials, *heads[0][:2]))]
    groups: list[Group] = []
    ends = [*(head.start for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=True):
        denial = denial_of(denials, head.start, head.end) if denials else None
        near = [p for p in places if p.start < end]
        if groups and _belong(text, groups[-1], head, denial, near, grammar):
            groups[-1].heads.append(head)
            if head.category == "lesion":
                groups[-1].kind = "lesion"
        else:
            groups.append(Group([head], head.category, denial))
    return groups


def _belong(
    text: str,
    group: Group,
    head: Mention,
    denial: Denial | None,
    places: Sequence[Place],
    grammar: Grammar,
) -> bool:
    """Whether a head goes on with the statement of the group before it.

    ``places`` are those named before the next head.
    """
    gap = (group.end, head.start)
    if "normal" in (group.kind, head.category):
        named_between = any(gap[0] <= p.start < gap[1] for p in places)
        return group.kind == head.category and not named_between
    if group.denial is not None or denial is not None:
        both = group.denial is not None and denial is not None
        in_list = group.denial == denial or grammar.list_gap.fullmatch(text, *gap) is not None
        return both and in_list
    is_apposition = text[slice(*gap)].strip() != "," and grammar.same_gap.fullmatch(text, *gap)
    return bool(is_apposition) or _go_on(text, group, head, places, grammar)


def _go_on(
    text: str, group: Group, head: Mention, places: Sequence[Place], grammar: Grammar
) -> bool:
    """Whether two present findings are one: the second explains or lists along with the first."""
    gap = (group.end, head.start)
    explains = grammar.explains.fullmatch(text, *gap) is not None
    if "lesion" in (group.kind, head.category):
        between = text[slice(*gap)]
        renames = grammar.renames.fullmatch(between) is not None
        is_same = explains or (renames and grammar.new_one.search(between) is None)
        return group.kind == head.category and is_same
    last, new = concept(group.heads[-1]), concept(head)
    if explains or (new in MUCOSAL and grammar.along.fullmatch(text, *gap)):
        return True
    if last in MUCOSAL and new in MUCOSAL:
        return _is_one_process(text, gap, head, places, grammar)
    return last == new and grammar.list_gap.fullmatch(text, *gap) is not None


def _is_one_process(
    text: str, gap: tuple[int, int], head: Mention, places: Sequence[Place], grammar: Grammar
) -> bool:
    """Whether signs of the mucosa share a clause: no verb and no other place parts them."""
    if gap[1] - gap[0] > _CLAUSE or grammar.finite.search(text, *gap):
        return False
    if grammar.elsewhere.search(text, *gap):
        return False
    between = any(gap[0] <= p.start < gap[1] for p in places)
    return not (between and any(p.start >= head.end for p in places))
