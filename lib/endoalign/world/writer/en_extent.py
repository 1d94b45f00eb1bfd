"""English text on the bowel seen: preparation, how far the endoscope went, earlier operations."""

import random

from endoalign.world.cases_extent import OPERATIONS
from endoalign.world.writer.en_short import short_site
from endoalign.world.writer.en_words import BANK, in_region, tidy, with_article
from endoalign.world.writer.markup import OPEN, Passage
from endoalign.world.writer.plan import Plan

_BEFORE_INSERTION = ("procedure", "preparation")
_UNSEEN_SHARE = 0.4  # incomplete examinations that say so once more of the bowel not reached


def preparation(plan: Plan, rng: random.Random) -> tuple[str, int]:
    """How clean the bowel was, in a word and as a Boston score that fits it."""
    poor = plan.extent.cause == "poor_preparation"
    scores = BANK["poor_preparation_scores" if poor else "preparation_scores"]
    quality = rng.choice(tuple(scores))
    return quality, rng.choice(scores[quality])


def depth_point(plan: Plan) -> str:
    """Where insertion ended: a region, or the anastomosis that the colon ends in."""
    point = plan.extent.point
    if point == "anastomosis":
        return str(BANK["joins"][plan.extent.operation])
    return str(BANK["sites"][point]["name"][0])


def approach(plan: Plan, rng: random.Random) -> list[Passage]:
    """Preparation, sedation, passage of the endoscope and the landmarks it met."""
    quality, score = preparation(plan, rng)
    values = {
        "quality": quality,
        "score": score,
        "sedation": rng.choice(BANK["sedation"]),
        "minutes": rng.randint(6, 15),
    }
    sentences = [Passage(rng.choice(BANK[key]).format(**values)) for key in _BEFORE_INSERTION]
    sentences += [_insertion(plan, rng), _landmarks(plan, rng), anastomosis(plan, rng)]
    if rng.random() < 0.5:
        sentences.append(Passage(rng.choice(BANK["withdrawal"]).format(**values)))
    return sentences


def _insertion(plan: Plan, rng: random.Random) -> Passage:
    if plan.extent.cause is not None:
        return _stopped(plan, rng.choice(BANK["stop"][plan.extent.cause]), rng)
    return Passage(rng.choice(BANK["reach"]).format(point=depth_point(plan)))


def _landmarks(plan: Plan, rng: random.Random) -> Passage:
    """The landmarks of the caecum, or that it was not seen; empty where it was taken out."""
    if "ileocecal" in plan.extent.regions:
        return Passage(rng.choice(BANK["landmarks"]))
    if plan.extent.cause is not None and rng.random() < _UNSEEN_SHARE:
        return Passage(rng.choice(BANK["unseen"]))
    return Passage("")


def extent_line(plan: Plan, rng: random.Random) -> Passage:
    """How far the endoscope went, as a form's short entry."""
    if plan.extent.cause is not None:
        return _stopped(plan, rng.choice(BANK["stop_short"][plan.extent.cause]), rng)
    return Passage(depth_point(plan))


def _stopped(plan: Plan, frame: str, rng: random.Random) -> Passage:
    region = plan.extent.reach
    text = frame.format(
        point=depth_point(plan), in_point=in_region(region, rng), short=short_site(region, rng)
    )
    return Passage(text, plan.extent.stop_findings() if OPEN in text else ())


def unseen_segments(plan: Plan, rng: random.Random) -> Passage:
    """A form's line for the segments that were not reached, at times."""
    if plan.extent.cause is None or rng.random() >= _UNSEEN_SHARE:
        return Passage("")
    return Passage(rng.choice(BANK["unseen_segments"]))


def anastomosis(plan: Plan, rng: random.Random, topic: str = "anastomosis") -> Passage:
    """The earlier operation and its sound anastomosis, a landmark; empty without an operation.

    ``topic`` is the bank's list for the style.
    """
    if plan.extent.operation is None:
        return Passage("")
    return Passage(tidy(rng.choice(BANK[topic]).format(**operation_names(plan, rng))))


def operation_names(plan: Plan, rng: random.Random) -> dict[str, str]:
    """Words for the earlier operation and its anastomosis, to fill frames; empty without one."""
    operation = plan.extent.operation
    if operation is None:
        return {}
    name = rng.choice(BANK["operations"][operation])
    place = ""
    if (height := OPERATIONS[operation].anastomosis_cm) is not None:
        place = rng.choice(BANK["join_place"]).format(cm=f"{height:g}")
    return {
        "operation": name,
        "an_operation": with_article(name),
        "short": rng.choice(BANK["operations_short"][operation]),
        "join": BANK["joins"][operation],
        "place": place,
    }


def impressions(plan: Plan, rng: random.Random) -> list[str]:
    """Short diagnoses of what limited the examination."""
    extent, topic, point = plan.extent, BANK["impression_extent"], depth_point(plan)
    keys = ["stenosis"] if extent.narrowed else []
    keys += ["stopped"] if extent.cause is not None else []
    keys += ["operated"] if extent.operation is not None else []
    names = {"point": point, **operation_names(plan, rng)}
    return [rng.choice(topic[key]).format(**names) for key in keys]
