"""Chinese reports of gastroscopies: headed lines or running sentences, a region at a time."""

import random
from typing import Any, Final

from endoalign.world.upper.extent import documented_regions
from endoalign.world.upper.truth import UpperCase
from endoalign.world.writer.markup import OPEN, Passage, join
from endoalign.world.writer.upper_plan import (
    UpperStatement,
    normal_passage,
    state_finding,
    upper_phrases,
)
from endoalign.world.writer.zh_lesion import BANK as COMMON

BANK: Final[dict[str, Any]] = upper_phrases("zh")
_PROSE: Final = frozenset({"narrative", "academic"})
_PLAIN_NORMAL: Final = 0.4


def write_upper_chinese(
    case: UpperCase, style: str, impression: bool, rng: random.Random
) -> Passage:
    """The report of ``case``; narrative and academic styles write prose, the others lines."""
    headings = rng.choice(BANK["headings"])
    statements = [state_finding(finding, rng) for finding in case.findings]
    prose = style in _PROSE
    regions = documented_regions(case)
    told = [_region(region, statements, prose, rng) for region in regions]
    body = join("" if prose else "\n", [Passage(_course(case, rng)), *told])
    person = rng.choice(BANK["persons"]).format(age=rng.randint(30, 84))
    blocks = [
        Passage(f"{headings[0]}：{person}，{rng.choice(BANK['indications'])}。"),
        Passage(f"{headings[1]}：\n{body.text}", body.findings),
    ]
    if impression:
        blocks.append(Passage(f"{headings[2]}：{_impression(statements, rng)}"))
    plan = rng.choice(BANK["plans"]["abnormal" if statements else "normal"])
    blocks.append(Passage(f"{headings[3]}：{plan}。"))
    return join("\n", blocks)


def _course(case: UpperCase, rng: random.Random) -> str:
    """How the endoscope was passed, how far, and after which operation."""
    clauses = [rng.choice(BANK["procedure"])]
    if case.operation is not None:
        clauses.append(rng.choice(BANK["operated"]))
    elif case.reach == "duodenum":
        clauses.append(rng.choice(BANK["complete"]))
    else:
        point = BANK["sites"][case.reach]["name"][0]
        clauses.append(rng.choice(BANK["stopped"]).format(point=point))
    return "，".join(clauses) + "。"


def _region(
    region: str, statements: list[UpperStatement], prose: bool, rng: random.Random
) -> Passage:
    """All that is said of one region: its findings, or that it is normal."""
    own = [each for each in statements if each.finding.region == region]
    site = BANK["sites"][region]
    lead = rng.choice(site["name"]) if prose else f"{site['heading']}："
    passages = [each.passage(_what(each, rng)) for each in own]
    if not passages:
        phrases = BANK["normal"]["any" if rng.random() < _PLAIN_NORMAL else region]
        passages = [normal_passage(region, rng.choice(phrases))]
    led = passages if prose else passages[:1]  # a heading stands once, before its first sentence
    passages[: len(led)] = [
        Passage(OPEN + lead + each.text.removeprefix(OPEN), each.findings) for each in led
    ]
    return join("", [Passage(f"{each.text}。", each.findings) for each in passages])


def _what(statement: UpperStatement, rng: random.Random) -> str:
    """The finding as a clause without its region."""
    kind = statement.finding.kind
    if kind in {"erosion", "redness"}:
        return str(rng.choice(BANK[kind][min(statement.finding.count, 3) - 1]))
    size = f"{statement.size('cm')}cm"
    frame = str(rng.choice(BANK[kind]))
    if kind != "polyp":
        return frame.format(size=size)
    looks = tail = ""
    if statement.paris is not None:
        looks = rng.choice(COMMON["paris"]["word"][statement.paris])
    if statement.surface is not None:
        words = COMMON["descriptors"][statement.surface]
        tail = f"，表面{rng.choice(words['surface'])}"
    return frame.format(size=size, looks=looks, tail=tail)


def _impression(statements: list[UpperStatement], rng: random.Random) -> str:
    """Short diagnoses that repeat the findings, in one line."""
    if not statements:
        return f"{rng.choice(BANK['normal_impression'])}。"
    names = [
        f"{BANK['sites'][each.finding.region]['heading']}{BANK['names'][each.finding.kind]}"
        for each in statements
    ]
    return "；".join(names) + "。"
