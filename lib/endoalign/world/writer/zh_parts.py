"""Chinese parts of a report around the lesions: normal regions, denials, other findings."""

import random
from collections.abc import Iterable

from endoalign.world.writer.markup import Passage, join
from endoalign.world.writer.plan import Plan
from endoalign.world.writer.statements import LesionStatement, plain_finding
from endoalign.world.writer.zh_extent import impressions as extent_impressions
from endoalign.world.writer.zh_lesion import BANK

_TREATED = 0.75


def paragraph(sentences: Iterable[Passage]) -> Passage:
    """Sentences behind each other with full stops."""
    kept = [each for each in sentences if each.text]
    return join("", [Passage(f"{each.text}。", each.findings) for each in kept])


def treated(passage: Passage, statement: LesionStatement, rng: random.Random) -> Passage:
    """A lesion's sentence with how it was removed behind it, in most cases."""
    if rng.random() >= _TREATED:
        return passage
    largest = max(lesion.size_cm for lesion in statement.lesions)
    how = "biopsy" if largest <= 0.3 else "cold" if largest < 1.0 else "hot"
    return Passage(f"{passage.text}，{rng.choice(BANK['treatment'][how])}", passage.findings)


def normal_region(region: str, topic: str, rng: random.Random) -> Passage:
    """A region said to be normal, at times with a denial of polyps beside it."""
    site = BANK["sites"][region]
    text = rng.choice(BANK["normal"][topic]).format(
        name=rng.choice(site["name"]), heading=site["heading"]
    )
    findings = [plain_finding("normal", region)]
    if text.count("⟦") == 2:
        findings.append(plain_finding("lesion", region, negated=True))
    return Passage(text, tuple(findings))


def normal_list(regions: tuple[str, ...], rng: random.Random) -> Passage:
    """Regions said to be normal at once: one statement, named by its first."""
    names = "、".join(rng.choice(BANK["sites"][region]["name"]) for region in regions)
    text = rng.choice(BANK["normal"]["list"]).format(names=names)
    return Passage(text, (plain_finding("normal", regions[0]),))


def other_finding(kind: str, region: str, topic: str, rng: random.Random) -> Passage:
    """An abnormal finding that is no polyp."""
    text = rng.choice(BANK[topic][kind]).format(name=rng.choice(BANK["sites"][region]["name"]))
    return Passage(text, (plain_finding("other", region),))


def region_denial(region: str, rng: random.Random) -> Passage:
    """No polyps in one region."""
    name = rng.choice(BANK["sites"][region]["name"])
    text = rng.choice(BANK["denial"]["region"]).format(name=name)
    return Passage(text, (plain_finding("lesion", region, negated=True),))


def closing(plan: Plan, rng: random.Random, *, short: bool = False) -> list[Passage]:
    """What is said of the rest of the bowel; a normal case always denies polyps."""
    part = "_limited" if plan.extent.limited else ""
    suffix = "_short" if short else ""
    chosen = []
    if rng.random() < 0.7:
        topic = ("remainder" if plan.abnormal else "whole") + part + suffix
        chosen.append(Passage(rng.choice(BANK[topic]), (plain_finding("normal", None),)))
    if not plan.lesions or rng.random() < 0.4:
        denials = BANK["denial" + part][("further" if plan.lesions else "all") + suffix]
        denial = plain_finding("lesion", None, negated=True)
        chosen.append(Passage(rng.choice(denials), (denial,)))
    inflamed = any(kind in {"diverticula", "erythema"} for kind, _ in plan.others)
    if not inflamed and not short and rng.random() < 0.1:
        other = rng.choice(BANK["denial"]["other"])
        chosen.append(Passage(other, (plain_finding("other", None, negated=True),)))
    return chosen


def impressions(plan: Plan, rng: random.Random) -> str:
    """Short diagnoses that repeat the findings, in one line."""
    topic = BANK["impression"]
    names = []
    if sum(statement.count for statement in plan.lesions) > 1:
        names.append(rng.choice(topic["plural"]))
    elif plan.lesions and plan.lesions[0].site is None:
        names.append(rng.choice(topic["single_without_site"]))
    elif plan.lesions and plan.lesions[0].site is not None:
        site = BANK["sites"][plan.lesions[0].site.region]
        names.append(rng.choice(topic["single"]).format(name=site["heading"]))
    names += [BANK["names_of_others"][kind] for kind, _ in plan.others]
    names += extent_impressions(plan, rng)
    if not names:
        names.append(rng.choice(topic["normal"]))
    if len(names) == 1:
        return f"{names[0]}。"
    return " ".join(f"{number}.{name}" for number, name in enumerate(names, start=1))
