"""English text around the findings: why, diagnoses, plan, headed forms."""

import random

from endoalign.world.writer import en_extent as extent
from endoalign.world.writer.en_words import BANK, with_article
from endoalign.world.writer.markup import Passage, capitalise, join
from endoalign.world.writer.plan import Plan

_OPERATION_AS_REASON = 0.7  # an operated patient mostly comes because of it


def reason(plan: Plan, rng: random.Random, *, short: bool = False) -> str:
    """Why the examination was done; at times earlier polyps, which are no finding of today."""
    topic = _reason_topic(plan, rng)
    year = rng.randint(2009, 2022)
    if topic == "operated":
        frames = BANK["indications_operated"]["short" if short else "full"]
        return str(rng.choice(frames)).format(year=year, **extent.operation_names(plan, rng))
    if short:
        topic = "short_history" if plan.history else "short"
    return str(rng.choice(BANK["indications"][topic])).format(year=year)


def _reason_topic(plan: Plan, rng: random.Random) -> str:
    if plan.extent.operation is not None and rng.random() < _OPERATION_AS_REASON:
        return "operated"
    return "history" if plan.history else rng.choice(("check", "symptom"))


def impressions(plan: Plan, rng: random.Random) -> list[str]:
    """Short diagnoses that repeat the findings."""
    topic = BANK["impression"]
    names = []
    if sum(statement.count for statement in plan.lesions) > 1:
        names.append(rng.choice(topic["plural"]))
    elif plan.lesions:
        site = plan.lesions[0].site
        names.append(_single_impression(site.region if site else None, rng))
    names += [BANK["names_of_others"][kind] for kind, _ in plan.others]
    names += extent.impressions(plan, rng)
    if not names:
        names.append(rng.choice(topic["normal"]).format(point=extent.depth_point(plan)))
    return [capitalise(name) for name in names]


def _single_impression(region: str | None, rng: random.Random) -> str:
    if region is None:
        return str(rng.choice(BANK["impression"]["single_without_site"]))
    names = BANK["sites"][region]
    frame: str = rng.choice(BANK["impression"]["single"])
    return frame.format(adjective=names["adjective"][0], name=names["name"][0])


def follow_up(plan: Plan, rng: random.Random) -> str:
    """The plan after the examination."""
    plans = BANK["plans"]["lesion" if plan.lesions else "normal"]
    if plan.extent.cause is not None:
        plans = BANK["plans_stopped"][plan.extent.cause]
    elif plan.extent.operation is not None:
        plans = BANK["plans_operated"]
    return capitalise(rng.choice(plans)) + "."


def opening(plan: Plan, rng: random.Random) -> Passage:
    """Why, how clean and how far, in the few words of a telegraphic report."""
    stop = extent.extent_line(plan, rng)
    frames = BANK["opening_short" if plan.extent.cause is None else "opening_stopped"]
    point = "TI" if stop.text == "terminal ileum" else stop.text
    text = rng.choice(frames).format(
        reason=reason(plan, rng, short=True),
        quality=extent.preparation(plan, rng)[0],
        point=point,
        stop=capitalise(stop.text),
        minutes=rng.randint(6, 14),
    )
    return Passage(capitalise(text), stop.findings)


def background(plan: Plan, rng: random.Random) -> Passage:
    """Who was examined and why, in a sentence."""
    topic = _reason_topic(plan, rng)
    person = rng.choice(BANK["persons"]).format(age=rng.randint(38, 84))
    year = str(rng.randint(2009, 2022))
    values = {"person": person, "a_person": with_article(person), "year": year}
    if topic == "operated":
        frames = BANK["background_operated"]
        values |= extent.operation_names(plan, rng)
    else:
        frames = BANK["background"][topic]
        values["reason"] = rng.choice(BANK["indications"][topic]).format(year=year)
    sentence = rng.choice(frames).format(**values)
    return Passage(f"{capitalise(sentence)}.")


def headed_lines(plan: Plan, findings: Passage, rng: random.Random) -> Passage:
    """A form of short headed lines around the findings."""
    headings = rng.choice(BANK["headings"]["lines"])
    quality, score = extent.preparation(plan, rng)
    prepared = rng.choice(BANK["preparation_line"]).format(quality=quality, score=score)
    values = [
        Passage(reason(plan, rng)),
        Passage(prepared),
        extent.extent_line(plan, rng),
        Passage(f"{rng.randint(6, 15)} minutes"),
    ]
    top = [
        under(f"{heading}: ", Passage(capitalise(value.text), value.findings))
        for heading, value in zip(headings, values, strict=False)
    ]
    blocks = [join("\n", top), under(f"{headings[4]}:\n", findings)]
    if plan.impression:
        names = numbered_names(impressions(plan, rng))
        blocks.append(under(f"{headings[5]}:\n", names))
    blocks.append(Passage(f"{headings[6]}: {follow_up(plan, rng)}"))
    return join("\n\n", blocks)


def numbered_names(names: list[str]) -> Passage:
    """Diagnoses in a list, or one alone."""
    if len(names) == 1:
        return Passage(f"{names[0]}.")
    return Passage("\n".join(f"{number}. {name}." for number, name in enumerate(names, start=1)))


def under(heading: str, passage: Passage) -> Passage:
    """A passage behind its heading, which belongs to no statement."""
    return Passage(heading + passage.text, passage.findings)
