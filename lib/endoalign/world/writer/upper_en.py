"""English reports of gastroscopies: headed lines or running sentences, a region at a time."""

import random
from typing import Any, Final

from endoalign.world.upper.extent import documented_regions
from endoalign.world.upper.truth import UpperCase
from endoalign.world.writer.en_words import BANK as COMMON
from endoalign.world.writer.en_words import with_article
from endoalign.world.writer.markup import OPEN, Passage, capitalise, join
from endoalign.world.writer.upper_plan import (
    UpperStatement,
    normal_passage,
    state_finding,
    upper_phrases,
)

BANK: Final[dict[str, Any]] = upper_phrases("en")
_PROSE: Final = frozenset({"narrative", "academic"})
_PLAIN_NORMAL: Final = 0.4  # of normal regions told in words that fit any region


def write_upper_english(
    case: UpperCase, style: str, impression: bool, rng: random.Random
) -> Passage:
    """The report of ``case``; narrative and academic styles write prose, the others lines."""
    headings = rng.choice(BANK["headings"])
    statements = [state_finding(finding, rng) for finding in case.findings]
    regions = documented_regions(case)
    prose = style in _PROSE
    told = [_region(region, statements, prose, rng) for region in regions]
    findings = join(" " if prose else "\n", told)
    sections = [
        Passage(capitalise(rng.choice(BANK["indications"])) + "."),
        _course(case, rng),
        findings if prose else Passage("\n" + findings.text, findings.findings),
        Passage(_impression(statements, rng)) if impression else Passage(""),
        Passage(_sentence(rng.choice(BANK["plans"]["abnormal" if statements else "normal"]))),
    ]
    titled = [
        Passage(
            f"{heading}:{'' if text.text.startswith(chr(10)) else ' '}{text.text}", text.findings
        )
        for heading, text in zip(headings, sections, strict=True)
        if text.text
    ]
    return join("\n", titled)


def spelt_american(text: str) -> str:
    """British spelling turned into American."""
    for british, other in BANK["american"].items():
        text = text.replace(british, other)
    return text


def _sentence(text: str) -> str:
    return capitalise(text) + "."


def _course(case: UpperCase, rng: random.Random) -> Passage:
    """How the endoscope was passed, how far, and after which operation."""
    sentences = [rng.choice(BANK["procedure"])]
    point = BANK["sites"][case.reach]["name"][0]
    if case.operation is not None:
        sentences.append(rng.choice(BANK["operated"]))
    elif case.reach == "duodenum":
        sentences.append(rng.choice(BANK["complete"]))
    else:
        sentences.append(rng.choice(BANK["stopped"]).format(point=point))
    return Passage(" ".join(_sentence(each) for each in sentences))


def _where(region: str, rng: random.Random) -> str:
    site = BANK["sites"][region]
    return f"{site['prep']} the {rng.choice(site['name'])}"


def _region(
    region: str, statements: list[UpperStatement], prose: bool, rng: random.Random
) -> Passage:
    """All that is said of one region: its findings, or that it is normal."""
    own = [each for each in statements if each.finding.region == region]
    if prose:
        passages = [each.passage(_finding_sentence(each, rng)) for each in own]
        passages = passages or [normal_passage(region, _normal(region, "normal_prose", rng))]
        return join(" ", [Passage(_sentence(each.text), each.findings) for each in passages])
    heading = f"{BANK['sites'][region]['heading']}: "
    lines = [each.passage(_what(each, rng)) for each in own]
    lines = lines or [normal_passage(region, _normal(region, "normal_line", rng))]
    lines[0] = Passage(OPEN + heading + lines[0].text.removeprefix(OPEN), lines[0].findings)
    return join(" ", [Passage(_sentence(each.text), each.findings) for each in lines])


def _normal(region: str, topic: str, rng: random.Random) -> str:
    phrases = BANK[topic]["any" if rng.random() < _PLAIN_NORMAL else region]
    name = rng.choice(BANK["sites"][region]["name"])
    return str(rng.choice(phrases)).format(name=name)


def _finding_sentence(statement: UpperStatement, rng: random.Random) -> str:
    what = _what(statement, rng)
    many = what.startswith(("two ", "several ", "multiple ", "scattered erosions", "patches"))
    many = many or statement.finding.kind in BANK["plural_kinds"]
    where = _where(statement.finding.region, rng)
    was = "were" if many else "was"
    return str(rng.choice(BANK["abnormal_prose"])).format(what=what, where=where, was=was)


def _what(statement: UpperStatement, rng: random.Random) -> str:
    """The finding as a noun phrase."""
    kind = statement.finding.kind
    if kind in {"erosion", "redness"}:
        return str(rng.choice(BANK[kind][min(statement.finding.count, 3) - 1]))
    unit = rng.choice(("mm", "cm"))
    size = f"{statement.size(unit)} {unit}"
    frame = str(rng.choice(BANK[kind]))
    if kind != "polyp":
        return frame.format(size=size)
    looks = ""
    if statement.paris is not None:
        looks = f"{rng.choice(COMMON['paris']['word'][statement.paris])} "
    tail = ""
    if statement.surface is not None:
        words = COMMON["descriptors"][statement.surface]
        tail = f" with {with_article(rng.choice(words['surface']))} surface"
    noun = rng.choice(BANK["polyp_nouns"])
    return frame.format(
        size=size,
        size_article=with_article(size),
        looks=looks,
        article_looks=f"{with_article(looks or noun).split(' ', 1)[0]} {looks}",
        noun=noun,
        tail=tail,
    )


def _impression(statements: list[UpperStatement], rng: random.Random) -> str:
    """Short diagnoses that repeat the findings."""
    if not statements:
        return _sentence(rng.choice(BANK["impression"]["normal"]))
    names = [
        BANK["impression"]["abnormal"].format(
            what=BANK["names"][each.finding.kind], where=_where(each.finding.region, rng)
        )
        for each in statements
    ]
    return "; ".join(capitalise(name) for name in names) + "."
