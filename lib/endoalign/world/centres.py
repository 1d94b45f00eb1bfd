"""The simulated centres: how each writes its reports and in which splits its cases appear.

The look of a centre's frames is keyed by the same names in the room's image processors. Two
centres appear in the test split only, so that transfer to an unseen source can be measured.
"""

from dataclasses import dataclass
from typing import Final

from endoalign.vocabulary import SPLITS

REPORT_STYLES: Final = ("telegraphic", "narrative", "segments", "numbered", "academic")


@dataclass(frozen=True)
class Centre:
    """One source of cases.

    ``chinese_share`` is the share of its reports in Chinese where a corpus mixes languages;
    ``american`` chooses the spelling of its English reports; ``parts`` are the splits it appears
    in; ``weight`` is its relative number of cases within a split.
    """

    name: str
    report_style: str
    chinese_share: float
    american: bool
    parts: tuple[str, ...]
    weight: float


_EVERYWHERE: Final = SPLITS
_TEST_ONLY: Final = ("test",)

_ALL: Final = (
    Centre("centre_a", "narrative", 0.1, True, _EVERYWHERE, 1.5),
    Centre("centre_b", "telegraphic", 0.2, False, _EVERYWHERE, 1.2),
    Centre("centre_c", "segments", 0.5, False, _EVERYWHERE, 1.2),
    Centre("centre_d", "numbered", 0.3, True, _EVERYWHERE, 1.2),
    Centre("centre_e", "academic", 0.7, False, _EVERYWHERE, 1.0),
    Centre("centre_f", "narrative", 0.8, False, _EVERYWHERE, 1.0),
    Centre("centre_g", "segments", 0.3, True, _EVERYWHERE, 0.8),
    Centre("centre_h", "numbered", 0.9, False, _EVERYWHERE, 0.8),
    Centre("centre_i", "telegraphic", 0.4, True, _TEST_ONLY, 1.5),
    Centre("centre_j", "academic", 0.4, False, _TEST_ONLY, 1.5),
)
CENTRES: Final[dict[str, Centre]] = {centre.name: centre for centre in _ALL}
"""Every centre by its name, in alphabetical order."""


def centres_of(split: str) -> tuple[Centre, ...]:
    """Centres whose cases may appear in ``split``; ``ValueError`` where the split is unknown."""
    if split not in SPLITS:
        raise ValueError(f"unknown split {split!r}; known splits: {', '.join(SPLITS)}")
    return tuple(centre for centre in _ALL if split in centre.parts)
