"""What a report states of a lesion: some of its true attributes, the striking ones first."""

import random
from dataclasses import replace
from typing import Final

from endoalign.world.truth import Lesion
from endoalign.world.writer.habits import Habits
from endoalign.world.writer.size import state_size
from endoalign.world.writer.statements import (
    LesionStatement,
    SiteStatement,
    distance_is_clear,
    third_of,
)

SALIENCE: Final[dict[str, float]] = {
    "villous": 12.0,
    "lobulated": 12.0,
    "ulceration": 10.0,
    "erosion": 6.0,
    "bleeding": 6.0,
    "central_depression": 5.0,
    "smooth": 3.0,
    "rough": 3.0,
    "granular": 4.0,
    "nodular": 4.0,
    "congestion": 3.0,
    "white_coating": 4.0,
    "mucus_attachment": 3.0,
    "irregular_shape": 3.0,
    "flat": 2.0,
    "ill_defined_margin": 2.0,
    "well_defined_margin": 1.2,
    "narrow_base": 1.5,
    "broad_base": 0.8,
}
"""How readily an endoscopist mentions what he sees."""
DENIABLE: Final = ("erosion", "ulceration", "bleeding", "central_depression")
_CLOCK_SHARE: Final = 0.08
_SEEN_CM: Final = 55.0  # above the descending colon, distances are seldom trusted,
_FAR_DISTANCE_WEIGHT: Final = 0.15
_UNTRUSTED_CM: Final = 95.0  # and above the transverse colon never


def state_lesion(group: tuple[Lesion, ...], habits: Habits, rng: random.Random) -> LesionStatement:
    """Draw one statement of ``group``: a lesion, or several small ones of one region at once."""
    first = group[0]
    paris = first.paris if _agree(group, "paris") and rng.random() < habits.paris else None
    form = _pick(habits.paris_forms, rng)
    descriptors = _descriptors(group, habits, rng)
    if paris == "0-IIa" and form != "type":
        descriptors |= {"flat"}  # "flat elevated" says flat as well
    colour = first.colour if _agree(group, "colour") and rng.random() < habits.colour else None
    if "congestion" in descriptors and colour in {"pale", "yellow"}:
        colour = None  # a congested pale polyp exists, but nobody writes it so
    size = None
    if rng.random() < habits.size:
        unit = "mm" if rng.random() < habits.mm else "cm"
        words = rng.random() < habits.number_words
        size = state_size([lesion.size_cm for lesion in group], unit, words, rng)
    return LesionStatement(
        lesions=group,
        site=_site(group, habits, rng) if rng.random() < habits.site else None,
        size=size,
        paris=paris,
        paris_form=form,
        colour=colour,
        descriptors=tuple(sorted(descriptors)),
        denied=_denied(group, habits, rng),
        clock=_hour(first) if len(group) == 1 and rng.random() < _CLOCK_SHARE else None,
    )


def spell_out(statement: LesionStatement) -> LesionStatement:
    """Add the clock position, which no two lesions of one region share."""
    return replace(statement, clock=_hour(statement.lesions[0]))


def _site(group: tuple[Lesion, ...], habits: Habits, rng: random.Random) -> SiteStatement:
    lesion = group[0]
    distance = round(lesion.distance_cm)
    third = third_of(lesion.region, lesion.distance_cm)
    weights = dict(habits.site_forms)
    told = distance_is_clear(lesion.region, distance) and lesion.distance_cm <= _UNTRUSTED_CM
    if len(group) > 1 or not told:
        weights |= {"distance": 0.0, "name_distance": 0.0}
    elif lesion.distance_cm > _SEEN_CM:
        for form in {"distance", "name_distance"} & set(weights):
            weights[form] *= _FAR_DISTANCE_WEIGHT
    if len(group) > 1 or not third or "flexure" in lesion.region or lesion.region == "ileocecal":
        weights["third"] = 0.0
    if lesion.region == "terminal_ileum":
        weights["third"] = 0.0
    return SiteStatement(lesion.region, _pick(weights, rng), third, distance)


def _descriptors(group: tuple[Lesion, ...], habits: Habits, rng: random.Random) -> set[str]:
    """One to five true descriptors, the striking ones first; of several lesions, shared ones."""
    shared = sorted(set.intersection(*(set(lesion.descriptors) for lesion in group)))
    wanted = int(_pick({str(k): share for k, share in habits.n_descriptors.items()}, rng))
    keys = {name: rng.random() ** (1.0 / SALIENCE[name]) for name in shared}
    return set(sorted(shared, key=lambda name: -keys[name])[:wanted])


def _denied(group: tuple[Lesion, ...], habits: Habits, rng: random.Random) -> tuple[str, ...]:
    if rng.random() >= habits.denial:
        return ()
    present = {name for lesion in group for name in lesion.descriptors}
    absent = [name for name in DENIABLE if name not in present]
    chosen = rng.sample(absent, min(len(absent), rng.randint(1, 2)))
    return tuple(name for name in DENIABLE if name in chosen)


def _agree(group: tuple[Lesion, ...], attribute: str) -> bool:
    return len({getattr(lesion, attribute) for lesion in group}) == 1


def _hour(lesion: Lesion) -> int:
    """Clock position in whole hours, 1 to 12."""
    return round(lesion.clock) or 12


def _pick(weights: dict[str, float], rng: random.Random) -> str:
    return rng.choices(tuple(weights), weights=tuple(weights.values()))[0]
