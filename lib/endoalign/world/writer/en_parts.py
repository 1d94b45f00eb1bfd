"""English parts of a report around the lesions: normal regions, denials, other findings, frame."""

import random
from collections.abc import Iterable

from endoalign.world.writer.en_short import short_site
from endoalign.world.writer.en_words import BANK, in_region, join_and
from endoalign.world.writer.markup import Passage, capitalise, join
from endoalign.world.writer.plan import Plan
from endoalign.world.writer.statements import LesionStatement, plain_finding

_TREATED = 0.75


def paragraph(sentences: Iterable[Passage]) -> Passage:
    """Sentences with capital letters and full stops."""
    return join(" ", [_sentence(each) for each in sentences if each.text])


def _sentence(passage: Passage) -> Passage:
    return Passage(capitalise(passage.text) + ".", passage.findings)


def normal_region(region: str, style: str, rng: random.Random) -> Passage:
    """A region said to be normal, in some styles with a denial of polyps beside it."""
    names = BANK["sites"][region]
    text = rng.choice(BANK["normal"][style]).format(
        name=rng.choice(names["name"]),
        in_name=in_region(region, rng),
        short=short_site(region, rng),
        heading=names["heading"],
    )
    findings = [plain_finding("normal", region)]
    if text.count("⟦") == 2:
        findings.append(plain_finding("lesion", region, negated=True))
    return Passage(text, tuple(findings))


def other_finding(kind: str, region: str, topic: str, rng: random.Random) -> Passage:
    """An abnormal finding that is no polyp; ``topic`` is the bank's list for the style."""
    text = rng.choice(BANK[topic][kind]).format(
        in_name=in_region(region, rng), short=short_site(region, rng)
    )
    return Passage(text, (plain_finding("other", region),))


def region_denial(region: str, rng: random.Random) -> Passage:
    """No polyps in one region."""
    text = rng.choice(BANK["denial"]["region"]).format(in_name=in_region(region, rng))
    return Passage(text, (plain_finding("lesion", region, negated=True),))


def closing(plan: Plan, rng: random.Random, *, short: bool = False) -> list[Passage]:
    """What is said of the rest of the bowel; a normal case always denies polyps."""
    part = "_limited" if plan.extent.limited else ""
    suffix = "_short" if short else ""
    topic = ("remainder" if plan.abnormal else "whole") + part + suffix
    normal = Passage(rng.choice(BANK[topic]), (plain_finding("normal", None),))
    denials = BANK["denial" + part][("further" if plan.lesions else "all") + suffix]
    denial = Passage(rng.choice(denials), (plain_finding("lesion", None, negated=True),))
    chosen = [normal] if rng.random() < 0.6 else []
    if not plan.lesions or rng.random() < 0.5:
        chosen.append(denial)
    diverticular = any(kind in {"diverticula", "erythema"} for kind, _ in plan.others)
    if not diverticular and not short and rng.random() < 0.12:
        other = rng.choice(BANK["denial"]["other"])
        chosen.append(Passage(other, (plain_finding("other", None, negated=True),)))
    return chosen


def treatment(statements: Iterable[LesionStatement], topic: str, rng: random.Random) -> Passage:
    """How the lesions just told were removed, fit to the largest of them; at times nothing."""
    lesions = [lesion for statement in statements for lesion in statement.lesions]
    if rng.random() >= _TREATED or len(lesions) > 2:
        return Passage("")
    largest = max(lesion.size_cm for lesion in lesions)
    how = "biopsy" if largest <= 0.3 else "cold" if largest < 1.0 else "hot"
    if len(lesions) == 2 and topic == "treatment":
        topic = "treatment_plural"
    return Passage(rng.choice(BANK[topic][how]))


def normal_list(regions: tuple[str, ...], rng: random.Random) -> Passage:
    """Two or three regions said to be normal at once: one statement, named by its first."""
    names = [rng.choice(BANK["sites"][region]["name"]) for region in regions]
    text = rng.choice(BANK["normal"]["list"]).format(names=join_and(names))
    return Passage(text, (plain_finding("normal", regions[0]),))
