"""English reports: five styles that lay the same plan out in their own ways."""

import random
from collections.abc import Callable
from typing import Final

from endoalign.world.writer import en_extent as extent
from endoalign.world.writer import en_frame as frame
from endoalign.world.writer import en_parts as parts
from endoalign.world.writer.en_lesion import lesion_pair, lesion_sentence
from endoalign.world.writer.en_short import lesion_line
from endoalign.world.writer.en_words import BANK
from endoalign.world.writer.markup import OPEN, Passage, join
from endoalign.world.writer.plan import Plan

_PAIR_SHARE = 0.35  # two findings in one sentence
_LIST_SHARE = 0.15  # several normal regions in one sentence


def write_english(plan: Plan, style: str, rng: random.Random) -> Passage:
    """The report of ``plan`` in one of the styles of `endoalign.world.centres.REPORT_STYLES`."""
    return _STYLES[style](plan, rng)


def _telegraphic(plan: Plan, rng: random.Random) -> Passage:
    lines = [extent.anastomosis(plan, rng, "anastomosis_short")]
    lines += [parts.normal_region(region, "telegraphic", rng) for region in plan.normal_regions]
    for statement in plan.lesions:
        lines.append(lesion_line(statement, rng))
        lines.append(parts.treatment([statement], "treatment_short", rng))
    lines += [parts.other_finding(*other, "others_short", rng) for other in plan.others]
    lines += parts.closing(plan, rng, short=True)
    body = parts.paragraph(lines)
    if plan.impression:
        names = ", ".join(frame.impressions(plan, rng))
        body = join(" ", [body, Passage(f"Imp: {names}.")])
    return join(rng.choice((" ", "\n")), [frame.opening(plan, rng), body])


def _narrative(plan: Plan, rng: random.Random) -> Passage:
    headings = rng.choice(BANK["headings"]["narrative"])
    body = [*extent.approach(plan, rng), *_story(plan, "narrative", rng)]
    body.append(Passage(rng.choice(BANK["tolerance"])))
    sections = [frame.background(plan, rng), parts.paragraph(body)]
    if plan.impression:
        sections.append(frame.numbered_names(frame.impressions(plan, rng)))
    else:
        headings = [*headings[:2], headings[3]]
    sections.append(Passage(frame.follow_up(plan, rng)))
    titled = [
        frame.under(f"{heading}: ", text) for heading, text in zip(headings, sections, strict=True)
    ]
    return join("\n\n", titled)


def _academic(plan: Plan, rng: random.Random) -> Passage:
    headings = rng.choice(BANK["headings"]["academic"])
    sections = [
        frame.background(plan, rng),
        parts.paragraph(extent.approach(plan, rng)),
        parts.paragraph(_story(plan, "academic", rng)),
    ]
    if plan.impression:
        sections.append(Passage("; ".join(frame.impressions(plan, rng)) + "."))
    else:
        headings = [*headings[:3], headings[4]]
    sections.append(Passage(frame.follow_up(plan, rng)))
    titled = [
        frame.under(f"{heading}. ", text) for heading, text in zip(headings, sections, strict=True)
    ]
    return join("\n", titled)


def _numbered(plan: Plan, rng: random.Random) -> Passage:
    items = [parts.paragraph([extent.anastomosis(plan, rng)])]
    for statement in plan.lesions:
        sentence = lesion_sentence(statement, "numbered", rng)
        treated = parts.treatment([statement], "treatment", rng)
        items.append(parts.paragraph([sentence, treated]))
    items += [parts.paragraph([parts.other_finding(*each, "others", rng)]) for each in plan.others]
    normal = [parts.normal_region(region, "narrative", rng) for region in plan.normal_regions]
    items += [parts.paragraph([each]) for each in [*normal, *parts.closing(plan, rng)]]
    told = [item for item in items if item.text]
    numbered = [frame.under(f"{number}. ", item) for number, item in enumerate(told, start=1)]
    return frame.headed_lines(plan, join("\n", numbered), rng)


def _segments(plan: Plan, rng: random.Random) -> Passage:
    surgery = extent.anastomosis(plan, rng, "anastomosis_segments")
    lines = [parts.paragraph([each]) for each in (surgery, extent.unseen_segments(plan, rng))]
    lines += [_segment(plan, region, rng) for region in plan.extent.regions]
    ending = parts.paragraph(parts.closing(plan, rng))
    return frame.headed_lines(plan, join("\n", [*lines, ending]), rng)


def _segment(plan: Plan, region: str, rng: random.Random) -> Passage:
    """All that is said of one region, behind its heading; empty where nothing is."""
    if region in plan.normal_regions:
        return parts.paragraph([parts.normal_region(region, "segments", rng)])
    sentences = []
    for statement in plan.lesions:
        if statement.site is not None and statement.site.region == region:
            sentences.append(lesion_sentence(statement, "segments", rng, inside=True))
            sentences.append(parts.treatment([statement], "treatment", rng))
    for kind, place in plan.others:
        if place == region:
            sentences.append(parts.other_finding(kind, place, "others_inside", rng))
    text = parts.paragraph(sentences)
    heading = f"{BANK['sites'][region]['heading']}: "
    if text.text.startswith(OPEN):  # the heading is the site of the first statement
        return Passage(OPEN + heading + text.text[1:], text.findings)
    return frame.under(heading, text) if text.text else text


def _story(plan: Plan, style: str, rng: random.Random) -> list[Passage]:
    """Findings as running sentences, from the caecum down, then the rest of the bowel."""
    sentences = []
    normal = list(plan.normal_regions)
    if len(normal) > 2 and rng.random() < _LIST_SHARE:
        sentences.append(parts.normal_list(tuple(normal[:3]), rng))
        del normal[:3]
    sentences += [parts.normal_region(region, style, rng) for region in normal]
    lesions = list(plan.lesions)
    if len(lesions) > 1 and rng.random() < _PAIR_SHARE:
        pair = lesions[:2]
        sentences += [lesion_pair(pair[0], pair[1], rng), parts.treatment(pair, "treatment", rng)]
        del lesions[:2]
    for statement in lesions:
        sentences.append(lesion_sentence(statement, style, rng))
        sentences.append(parts.treatment([statement], "treatment", rng))
    sentences += [parts.other_finding(*other, "others", rng) for other in plan.others]
    busy = {*plan.lesion_regions, *plan.normal_regions}
    if "rectum" not in busy and rng.random() < 0.3:
        sentences.append(parts.region_denial("rectum", rng))
    return sentences + parts.closing(plan, rng)


_STYLES: Final[dict[str, Callable[[Plan, random.Random], Passage]]] = {
    "telegraphic": _telegraphic,
    "narrative": _narrative,
    "segments": _segments,
    "numbered": _numbered,
    "academic": _academic,
}
