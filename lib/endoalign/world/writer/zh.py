"""Chinese reports: the styles of the centres as Chinese endoscopists write them."""

import random
from collections.abc import Callable
from typing import Final

from endoalign.world.writer import zh_extent as extent
from endoalign.world.writer import zh_parts as parts
from endoalign.world.writer.markup import OPEN, Passage, join
from endoalign.world.writer.plan import Plan
from endoalign.world.writer.zh_lesion import BANK, lesion_clause

_PAIR_SHARE = 0.35  # two findings in one sentence
_LIST_SHARE = 0.2  # several normal regions in one sentence


def write_chinese(plan: Plan, style: str, rng: random.Random) -> Passage:
    """The report of ``plan`` in one of the styles of `endoalign.world.centres.REPORT_STYLES`."""
    return _STYLES[style](plan, rng)


def _telegraphic(plan: Plan, rng: random.Random) -> Passage:
    sentences = [extent.approach_short(plan, rng), extent.anastomosis(plan, rng, short=True)]
    sentences += [parts.normal_region(region, "telegraphic", rng) for region in plan.normal_regions]
    for statement in plan.lesions:
        lesion = lesion_clause(statement, "telegraphic", rng)
        sentences.append(parts.treated(lesion, statement, rng))
    sentences += [parts.other_finding(*other, "others", rng) for other in plan.others]
    body = parts.paragraph([*sentences, *parts.closing(plan, rng, short=True)])
    if plan.impression:
        body = join("", [body, Passage(f"诊断：{parts.impressions(plan, rng)}")])
    return body


def _narrative(plan: Plan, rng: random.Random) -> Passage:
    body = parts.paragraph([*extent.approach(plan, rng), *_story(plan, "narrative", rng)])
    return _report(plan, body, rng)


def _academic(plan: Plan, rng: random.Random) -> Passage:
    time = Passage(rng.choice(BANK["withdrawal"]).format(minutes=rng.randint(6, 15)))
    body = parts.paragraph([*extent.approach(plan, rng), time, *_story(plan, "academic", rng)])
    return _report(plan, body, rng)


def _numbered(plan: Plan, rng: random.Random) -> Passage:
    items = []
    for statement in plan.lesions:
        lesion = lesion_clause(statement, "numbered", rng)
        items.append(parts.treated(lesion, statement, rng))
    items += [parts.other_finding(*other, "others", rng) for other in plan.others]
    items += [parts.normal_region(region, "plain", rng) for region in plan.normal_regions]
    items += parts.closing(plan, rng)
    mark = rng.choice(("{}. ", "{}、", "（{}）"))
    lines = [
        Passage(f"{mark.format(number)}{item.text}。", item.findings)
        for number, item in enumerate(items, start=1)
    ]
    approach = parts.paragraph(extent.approach(plan, rng))
    return _report(plan, join("\n", [approach, *lines]), rng)


def _segments(plan: Plan, rng: random.Random) -> Passage:
    lines = [parts.paragraph(extent.approach(plan, rng))]
    lines += [_segment(plan, region, rng) for region in plan.extent.regions]
    lines.append(parts.paragraph(parts.closing(plan, rng)))
    return _report(plan, join("\n", lines), rng)


def _segment(plan: Plan, region: str, rng: random.Random) -> Passage:
    """All that is said of one region, behind its heading; empty where nothing is."""
    if region in plan.normal_regions:
        return parts.paragraph([parts.normal_region(region, "segments", rng)])
    sentences = []
    for statement in plan.lesions:
        if statement.site is not None and statement.site.region == region:
            lesion = lesion_clause(statement, "segments", rng, inside=True)
            sentences.append(parts.treated(lesion, statement, rng))
    for kind, place in plan.others:
        if place == region:
            sentences.append(parts.other_finding(kind, place, "others_inside", rng))
    text = parts.paragraph(sentences)
    if not text.text:
        return text
    heading = f"{BANK['sites'][region]['heading']}："  # the site of the first statement
    return Passage(OPEN + heading + text.text.removeprefix(OPEN), text.findings)


def _story(plan: Plan, style: str, rng: random.Random) -> list[Passage]:
    """Findings as running sentences, from the caecum down, then the rest of the bowel."""
    sentences = []
    normal = list(plan.normal_regions)
    if len(normal) > 2 and rng.random() < _LIST_SHARE:
        sentences.append(parts.normal_list(tuple(normal[:3]), rng))
        del normal[:3]
    sentences += [parts.normal_region(region, "plain", rng) for region in normal]
    lesions = [
        parts.treated(lesion_clause(statement, style, rng), statement, rng)
        for statement in plan.lesions
    ]
    if len(lesions) > 1 and rng.random() < _PAIR_SHARE:
        glue = rng.choice(("；", "，另", "；另于"))
        second = lesions[1].text.removeprefix("白光观察，").replace("⟦于", "⟦")
        if not second.startswith(OPEN) or plan.lesions[1].site is None:
            glue = "；"
        lesions[:2] = [join(glue, [lesions[0], Passage(second, lesions[1].findings)])]
    sentences += lesions
    sentences += [parts.other_finding(*other, "others", rng) for other in plan.others]
    busy = {*plan.lesion_regions, *plan.normal_regions}
    if "rectum" not in busy and rng.random() < 0.3:
        sentences.append(parts.region_denial("rectum", rng))
    return sentences + parts.closing(plan, rng)


def _report(plan: Plan, body: Passage, rng: random.Random) -> Passage:
    """Headed sections around the findings."""
    headings = rng.choice(BANK["headings"]["paragraph"])
    why = extent.reason(plan, rng)
    person = rng.choice(BANK["persons"]).format(age=rng.randint(38, 84))
    blocks = [
        Passage(f"{headings[0]}：{person}，{why}。"),
        Passage(f"{headings[1]}：\n{body.text}", body.findings),
    ]
    if plan.impression:
        blocks.append(Passage(f"{headings[2]}：{parts.impressions(plan, rng)}"))
    blocks.append(Passage(f"{headings[3]}：{extent.advice(plan, rng)}。"))
    return join("\n", blocks)


_STYLES: Final[dict[str, Callable[[Plan, random.Random], Passage]]] = {
    "telegraphic": _telegraphic,
    "narrative": _narrative,
    "segments": _segments,
    "numbered": _numbered,
    "academic": _academic,
}
