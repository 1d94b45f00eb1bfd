"""What each style of report tends to state: its units, sites, Paris types and extras."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Final


@dataclass(frozen=True)
class Habits:
    """Probabilities of one style; ``site_forms`` are relative weights."""

    site_forms: dict[str, float]
    site: float  # share of lesion statements with a site
    size: float  # … with a size
    mm: float  # … of the sizes in mm, the rest in cm
    number_words: float  # … of the sizes in mm, in words
    paris: float
    paris_forms: dict[str, float]
    colour: float
    n_descriptors: dict[int, float]
    denial: float  # share of lesion statements that deny a descriptor
    merge: float  # share of eligible pairs of small polyps stated at once
    normal_regions: tuple[int, int]  # fewest and most regions said to be normal
    other: float  # chance of each of two other abnormal findings
    impression: float


HABITS: Final[dict[str, Habits]] = {
    "telegraphic": Habits(
        site_forms={"abbreviation": 4, "name": 3, "name_distance": 3, "distance": 1},
        site=0.98,
        size=0.92,
        mm=0.8,
        number_words=0.0,
        paris=0.75,
        paris_forms={"type": 6, "word": 4, "both": 0},
        colour=0.35,
        n_descriptors={1: 0.25, 2: 0.35, 3: 0.25, 4: 0.1, 5: 0.05},
        denial=0.12,
        merge=0.45,
        normal_regions=(0, 2),
        other=0.3,
        impression=0.3,
    ),
    "narrative": Habits(
        site_forms={"name": 5, "third": 2, "adjective": 1, "name_distance": 3, "distance": 1.5},
        site=0.97,
        size=0.92,
        mm=0.75,
        number_words=0.2,
        paris=0.6,
        paris_forms={"type": 1, "word": 7, "both": 1},
        colour=0.5,
        n_descriptors={1: 0.15, 2: 0.35, 3: 0.3, 4: 0.15, 5: 0.05},
        denial=0.2,
        merge=0.4,
        normal_regions=(1, 4),
        other=0.4,
        impression=0.3,
    ),
    "segments": Habits(
        site_forms={"name": 5, "third": 2, "name_distance": 3},
        site=1.0,
        size=0.94,
        mm=0.6,
        number_words=0.0,
        paris=0.65,
        paris_forms={"type": 4, "word": 4, "both": 1},
        colour=0.55,
        n_descriptors={1: 0.1, 2: 0.3, 3: 0.35, 4: 0.15, 5: 0.1},
        denial=0.2,
        merge=0.4,
        normal_regions=(4, 9),
        other=0.35,
        impression=0.35,
    ),
    "numbered": Habits(
        site_forms={"name": 4, "third": 2, "adjective": 1.5, "name_distance": 3, "distance": 1},
        site=0.97,
        size=0.95,
        mm=0.5,
        number_words=0.0,
        paris=0.75,
        paris_forms={"type": 5, "word": 3, "both": 2},
        colour=0.5,
        n_descriptors={1: 0.1, 2: 0.3, 3: 0.3, 4: 0.2, 5: 0.1},
        denial=0.2,
        merge=0.4,
        normal_regions=(0, 2),
        other=0.4,
        impression=0.4,
    ),
    "academic": Habits(
        site_forms={"name": 2, "third": 2.5, "name_distance": 4, "distance": 1},
        site=0.98,
        size=0.95,
        mm=0.6,
        number_words=0.05,
        paris=0.9,
        paris_forms={"type": 3, "word": 2, "both": 4},
        colour=0.7,
        n_descriptors={1: 0.03, 2: 0.17, 3: 0.3, 4: 0.3, 5: 0.2},
        denial=0.35,
        merge=0.25,
        normal_regions=(2, 5),
        other=0.4,
        impression=0.35,
    ),
}
"""By the style's name; on average 93 % of lesion statements give a size, as in the paper."""


@cache
def habits_of(style: str, language: str) -> Habits:
    """Habits of a style in a language: Chinese reports write cm and distances, no abbreviations.

    Raises ``KeyError`` where the style is unknown.
    """
    habits = HABITS[style]
    if language != "zh":
        return habits
    forms = dict(habits.site_forms)
    forms["name"] += forms.pop("adjective", 0.0) + forms.pop("abbreviation", 0.0)
    forms["name_distance"] *= 2.0
    return replace(habits, site_forms=forms, mm=habits.mm / 4, number_words=0.0)
