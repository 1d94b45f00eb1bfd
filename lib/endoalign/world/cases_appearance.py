"""How a lesion looks: size, Paris type, main texture, colour and descriptors that fit together.

Rules of the joint distribution, so that no lesion contradicts itself: exactly one main texture;
0-IIa is flat with a broad base and never lobulated; 0-Ip has a narrow base and a margin that never
fades; a smooth surface has neither erosion nor ulcer; at most one margin, base and coating.
"""

import math
import random
from dataclasses import dataclass
from typing import Final

MEDIAN_SIZE_CM: Final = 0.57  # with the spread below: median 0.6 cm, quartiles 0.4 and 0.8 cm as
SIZE_SIGMA: Final = 0.48  # stated in the reports of the EndoCLIP paper (methods, 4.3)
SIZE_RANGE_CM: Final = (0.2, 3.0)
LARGE_CM: Final = 1.0  # the clinical threshold of 10 mm

# In the paper 0.7 % and 2.4 % of polyp reports: raised here so that both can be measured.
VILLOUS_SHARE: Final = {"small": 0.015, "large": 0.11}
LOBULATED_SHARE: Final = {"small": 0.045, "large": 0.18}
_OTHER_TEXTURES: Final = {
    "small": {"smooth": 0.54, "rough": 0.13, "granular": 0.15, "nodular": 0.12},
    "large": {"smooth": 0.26, "rough": 0.15, "granular": 0.16, "nodular": 0.14},
}
TEXTURES: Final = ("smooth", "rough", "granular", "nodular", "lobulated", "villous")

PARIS_SHARES: Final[tuple[tuple[float, dict[str, float]], ...]] = (
    (0.6, {"0-Is": 0.66, "0-IIa": 0.24, "0-Isp": 0.10, "0-Ip": 0.0}),
    (1.0, {"0-Is": 0.48, "0-IIa": 0.20, "0-Isp": 0.24, "0-Ip": 0.08}),
    (math.inf, {"0-Is": 0.22, "0-IIa": 0.22, "0-Isp": 0.28, "0-Ip": 0.28}),
)
"""Paris types below each size in cm: stalks belong to larger polyps."""
PARIS_MIN_CM: Final = {"0-Ip": 0.6, "0-Isp": 0.4}

COLOUR_SHARES: Final = {"red": 0.42, "mucosal": 0.33, "pale": 0.18, "yellow": 0.07}
CONGESTION_SHARES: Final = {"red": 0.55, "mucosal": 0.35, "pale": 0.15, "yellow": 0.15}

SHARED_ATTRIBUTE: Final = 0.2  # a later lesion copies the first: with chance, alike in half


@dataclass(frozen=True)
class Appearance:
    """Looks of one lesion; ``descriptors`` are sorted and hold the texture."""

    size_cm: float
    paris: str
    texture: str
    colour: str
    descriptors: tuple[str, ...]


def sample_appearance(rng: random.Random, sibling: Appearance | None = None) -> Appearance:
    """Draw a lesion's looks; with a ``sibling`` of the same case, often alike in part."""
    size = sample_size(rng)
    paris = _pick(next(shares for limit, shares in PARIS_SHARES if size < limit), rng)
    texture = _pick(_texture_shares(size), rng)
    colour = _pick(COLOUR_SHARES, rng)
    if sibling is not None:
        if rng.random() < SHARED_ATTRIBUTE and size >= PARIS_MIN_CM.get(sibling.paris, 0.0):
            paris = sibling.paris
        texture = sibling.texture if rng.random() < SHARED_ATTRIBUTE else texture
        colour = sibling.colour if rng.random() < SHARED_ATTRIBUTE else colour
    if paris == "0-IIa" and texture == "lobulated":
        texture = "granular"
    return Appearance(size, paris, texture, colour, _descriptors(size, paris, texture, colour, rng))


def sample_size(rng: random.Random) -> float:
    """Largest diameter in cm, log-normal within `SIZE_RANGE_CM`, to a tenth of a millimetre."""
    low, high = SIZE_RANGE_CM
    while True:
        size = rng.lognormvariate(math.log(MEDIAN_SIZE_CM), SIZE_SIGMA)
        if low <= size <= high:
            return round(size, 2)


def _texture_shares(size_cm: float) -> dict[str, float]:
    grade = "large" if size_cm >= LARGE_CM else "small"
    rare = {"lobulated": LOBULATED_SHARE[grade], "villous": VILLOUS_SHARE[grade]}
    return _OTHER_TEXTURES[grade] | rare


def _descriptors(
    size: float, paris: str, texture: str, colour: str, rng: random.Random
) -> tuple[str, ...]:
    found = {texture, *_geometry(size, paris, texture, rng), *_surface(size, texture, rng)}
    if rng.random() < CONGESTION_SHARES[colour]:
        found.add("congestion")
    return tuple(sorted(found))


def _geometry(size: float, paris: str, texture: str, rng: random.Random) -> set[str]:
    bases = {
        "0-IIa": {"broad_base": 1.0},
        "0-Is": {"broad_base": 0.85, "": 0.15},
        "0-Isp": {"narrow_base": 0.55, "": 0.45},
        "0-Ip": {"narrow_base": 1.0},
    }
    ill_defined = {"0-IIa": 0.32, "0-Is": 0.15, "0-Isp": 0.05, "0-Ip": 0.0}[paris]
    margins = {"well_defined_margin": 0.55, "ill_defined_margin": ill_defined}
    found = {_pick(bases[paris], rng), _pick(margins | {"": 0.45 - ill_defined}, rng)}
    if paris == "0-IIa":
        found.add("flat")
    if rng.random() < (0.22 if size >= LARGE_CM else 0.08):
        found.add("irregular_shape")
    dips = paris in {"0-Is", "0-IIa"} and size >= 0.5 and texture not in {"lobulated", "villous"}
    if dips and rng.random() < 0.12:
        found.add("central_depression")
    return found - {""}


def _surface(size: float, texture: str, rng: random.Random) -> set[str]:
    found = set()
    if texture != "smooth":
        ulceration = 0.18 if size >= 0.8 else 0.0
        wounds = {"erosion": 0.15, "ulceration": ulceration, "": 0.85 - ulceration}
        found.add(_pick(wounds, rng))
    wounded = bool(found - {""})
    if rng.random() < (0.22 if wounded or texture == "villous" else 0.03):
        found.add("bleeding")
    coatings = {"mucus_attachment": 0.40 if texture == "villous" else 0.15}
    coatings |= {"white_coating": 0.20 if wounded else 0.05}
    found.add(_pick(coatings | {"": 1.0 - sum(coatings.values())}, rng))
    return found - {""}


def _pick(shares: dict[str, float], rng: random.Random) -> str:
    return rng.choices(tuple(shares), weights=tuple(shares.values()))[0]
