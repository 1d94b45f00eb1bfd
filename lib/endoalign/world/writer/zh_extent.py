"""Chinese text on the bowel seen: preparation, how far the endoscope went, earlier operations."""

import random

from endoalign.world.cases_extent import OPERATIONS
from endoalign.world.writer.markup import OPEN, Passage
from endoalign.world.writer.plan import Plan
from endoalign.world.writer.zh_lesion import BANK

_OPERATION_AS_REASON = 0.7  # an operated patient mostly comes because of it


def reason(plan: Plan, rng: random.Random) -> str:
    """Why the examination was done; earlier polyps and operations are no finding of today."""
    frames = BANK["indications"]["history" if plan.history else "plain"]
    if plan.extent.operation is not None and rng.random() < _OPERATION_AS_REASON:
        frames = BANK["indications_operated"]
    names = operation_names(plan, rng)
    year, years = rng.randint(2009, 2022), rng.randint(1, 6)
    return str(rng.choice(frames)).format(year=year, years=years, **names)


def advice(plan: Plan, rng: random.Random) -> str:
    """The plan after the examination."""
    plans = BANK["plans"]["lesion" if plan.lesions else "normal"]
    if plan.extent.cause is not None:
        plans = BANK["plans_stopped"][plan.extent.cause]
    elif plan.extent.operation is not None:
        plans = BANK["plans_operated"]
    return str(rng.choice(plans))


def approach(plan: Plan, rng: random.Random) -> list[Passage]:
    """Preparation, how far the endoscope went and the landmarks it met."""
    insertion = _insertion(plan, rng)
    if "ileocecal" in plan.extent.regions:
        landmarks = rng.choice(BANK["landmarks"])
        insertion = Passage(f"{insertion.text}，{landmarks}", insertion.findings)
    return [Passage(_preparation(plan, rng)), insertion, anastomosis(plan, rng)]


def approach_short(plan: Plan, rng: random.Random) -> Passage:
    """Preparation and how far the endoscope went in one sentence."""
    insertion = _insertion(plan, rng)
    return Passage(f"{_preparation(plan, rng)}，{insertion.text}", insertion.findings)


def _preparation(plan: Plan, rng: random.Random) -> str:
    poor = plan.extent.cause == "poor_preparation"
    score = rng.randint(2, 4) if poor else rng.randint(6, 9)  # on the Boston scale
    frames = BANK["poor_preparation" if poor else "preparation"]
    return str(rng.choice(frames)).format(score=score)


def _insertion(plan: Plan, rng: random.Random) -> Passage:
    if plan.extent.cause is None:
        point = BANK["depth"][plan.extent.point]
        return Passage(str(rng.choice(BANK["reach"])).format(point=point))
    point = rng.choice(BANK["sites"][plan.extent.reach]["name"])
    text = rng.choice(BANK["stop"][plan.extent.cause]).format(point=point)
    return Passage(text, plan.extent.stop_findings() if OPEN in text else ())


def anastomosis(plan: Plan, rng: random.Random, *, short: bool = False) -> Passage:
    """The earlier operation and its sound anastomosis, a landmark; empty without an operation."""
    if plan.extent.operation is None:
        return Passage("")
    frames = BANK["anastomosis_short" if short else "anastomosis"]
    return Passage(rng.choice(frames).format(**operation_names(plan, rng)))


def operation_names(plan: Plan, rng: random.Random) -> dict[str, str]:
    """Words for the earlier operation and its anastomosis, to fill frames; empty without one."""
    operation = plan.extent.operation
    if operation is None:
        return {}
    place = ""
    if (height := OPERATIONS[operation].anastomosis_cm) is not None:
        place = rng.choice(BANK["join_place"]).format(cm=f"{height:g}")
    return {
        "operation": rng.choice(BANK["operations"][operation]),
        "join": BANK["joins"][operation],
        "place": place,
    }


def impressions(plan: Plan, rng: random.Random) -> list[str]:
    """Short diagnoses of what limited the examination."""
    extent, topic = plan.extent, BANK["impression_extent"]
    names = {"point": BANK["sites"][extent.reach]["heading"], **operation_names(plan, rng)}
    keys = ["stenosis"] if extent.narrowed else []
    keys += ["stopped"] if extent.cause is not None else []
    keys += ["operated"] if extent.operation is not None else []
    return [str(rng.choice(topic[key])).format(**names) for key in keys]
