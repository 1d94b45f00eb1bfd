"""The table of terms made from a lexicon: which phrase plays which roles."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from endoalign.reports.lexicon import Lexicon
from endoalign.reports.lexicon_parts import Terms
from endoalign.reports.terms import Role, expand

MORE = "more"
"""Value of a pronoun that stands for one more lesion."""


RoleTable = Mapping[str, tuple[Role, ...]]

_OF_DOCUMENT = frozenset(
    ("exam_named", "exam_done", "no_exam", "postoperative", "incomplete", "complete")
)
_CORRECTED = frozenset(("lesion", "other", "normal", "site", "descriptor", "paris"))
_FUNCTION_WORDS = frozenset(
    ("within", "other", "first", "second", "third", "about", "there", "their", "looked")
)


class Add(Protocol):
    """Adds terms to the table in one role."""

    def __call__(self, terms: Iterable[str], category: str, value: object = None) -> None:
        """Add every phrase of ``terms``."""
        ...


def term_roles(lexicon: Lexicon) -> dict[str, tuple[Role, ...]]:
    """Spread a lexicon into ``phrase -> roles``, alternatives written out."""
    table: dict[str, list[Role]] = defaultdict(list)

    def add(terms: Iterable[str], category: str, value: object = None) -> None:
        for term in terms:
            for phrase in expand(term):
                if all(role.category != category for role in table[phrase]):
                    table[phrase].append(Role(category, value))

    add(lexicon.lesions, "lesion", "lesion")
    add(lexicon.negation.itself, "lesion", "lesion")
    add(lexicon.more_lesions, "lesion", MORE)
    for concept, other in lexicon.others.items():
        add(other.terms, "other", (concept, other.regions))
    for region, terms in lexicon.sites.items():
        add(terms, "site", (region,))
    for region, terms in lexicon.implied_sites.items():
        add(terms, "implied", (region,))
    add(lexicon.distances.phrases, "reference", ("rectum",))
    for area in lexicon.areas:
        add(area.terms, "site", area.regions)
    _add_values(add, lexicon)
    _add_words(add, lexicon)
    return {phrase: tuple(roles) for phrase, roles in table.items()}


def _add_values(add: Add, lexicon: Lexicon) -> None:
    keyed: list[tuple[str, Mapping[Any, Terms]]] = [
        ("paris", lexicon.paris),
        ("descriptor", lexicon.descriptors),
        ("count", lexicon.counts),
        ("exam_named", {kind: cues.named for kind, cues in lexicon.exams.items()}),
        ("exam_done", {kind: cues.done for kind, cues in lexicon.exams.items()}),
        ("no_exam", lexicon.no_exams),
        ("size", lexicon.sizes.words),
        ("size", _spelled_lengths(lexicon)),
    ]
    for category, groups in keyed:
        for value, terms in groups.items():
            add(terms, category, value)


def _spelled_lengths(lexicon: Lexicon) -> dict[float, Terms]:
    """Lengths with the number as a word: "five millimeters" is 0.5 cm."""
    lengths: dict[float, Terms] = defaultdict(list)
    for number, words in lexicon.counts.items():
        for unit, cm in lexicon.sizes.units.items():
            lengths[round(number * cm, 4)] += [
                f"{word} {unit}" for word in words if " " not in word
            ]
    return lengths


def _add_words(add: Add, lexicon: Lexicon) -> None:
    plain = {
        "normal": lexicon.normal,
        "subject": lexicon.normal_subjects,
        "deny_before": lexicon.negation.before,
        "deny_word": lexicon.negation.word,
        "deny_after": lexicon.negation.after,
        "deny_itself": lexicon.negation.itself,
        "stop": lexicon.negation.stops,
        "ignored": lexicon.ignored,
        "intervention": lexicon.interventions,
        "operation": lexicon.operations,
        "earlier": lexicon.excluded.earlier,
        "history": lexicon.excluded.history,
        "plan": lexicon.excluded.plan,
        "course": lexicon.course,
        "outside": lexicon.outside_examination.start,
        "inside": lexicon.outside_examination.end,
        "postoperative": lexicon.eligibility.postoperative,
        "incomplete": lexicon.eligibility.incomplete,
        "complete": lexicon.eligibility.complete,
    }
    for category, terms in plain.items():
        add(terms, category)


def roles_of(table: RoleTable, whole_document: bool) -> dict[str, tuple[Role, ...]]:
    """Keep the roles that concern the whole document, or those that concern a sentence."""
    kept = {
        phrase: tuple(r for r in own if (r.category in _OF_DOCUMENT) == whole_document)
        for phrase, own in table.items()
    }
    return {phrase: own for phrase, own in kept.items() if own}


def words_of(table: RoleTable) -> set[str]:
    """The words of terms that carry findings; function words are no target of correction."""
    carrying = (p for p, own in table.items() if any(r.category in _CORRECTED for r in own))
    return {w for phrase in carrying for w in phrase.split() if w.isalpha()} - _FUNCTION_WORDS


def site_titles(table: RoleTable) -> re.Pattern[str]:
    """A pattern that a heading matches whole when it is nothing but a site."""
    sites = [re.escape(p) for p, own in table.items() if any(r.category == "site" for r in own)]
    return re.compile(rf"(?:the )?(?:{'|'.join(sorted(sites, key=len, reverse=True))}) ?")
