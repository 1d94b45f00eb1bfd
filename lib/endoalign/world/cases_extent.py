"""How much bowel an examination saw: earlier resections, and where the endoscope had to stop."""

import random
from dataclasses import dataclass
from typing import Final

from endoalign.vocabulary import COLON_REGIONS

OPERATED_SHARE: Final = 0.03  # of patients: as follow-up after cancer surgery in a mixed clinic
INCOMPLETE_SHARE: Final = 0.04  # of unoperated cases: quality standards ask for 90 to 95 % complete
INTUBATION_SHARE: Final = 0.6  # of complete cases: entering the ileum is usual but not required

STOP_SHARES: Final[dict[str, float]] = {
    "sigmoid_colon": 0.26,
    "descending_colon": 0.14,
    "splenic_flexure": 0.18,
    "transverse_colon": 0.16,
    "hepatic_flexure": 0.14,
    "ascending_colon": 0.12,
}
"""Where an incomplete examination ends: most often in the bends, first of all the sigmoid."""


@dataclass(frozen=True)
class Operation:
    """A resection: the regions it takes out whole and its share of the operated patients.

    ``anastomosis_cm`` is the distance of the anastomosis from the anal verge where that lies in the
    rectum: the rectum above it is gone as well.
    """

    resected: tuple[str, ...]
    share: float
    anastomosis_cm: float | None = None


OPERATIONS: Final[dict[str, Operation]] = {
    "right_hemicolectomy": Operation(("ileocecal", "ascending_colon", "hepatic_flexure"), 0.35),
    "left_hemicolectomy": Operation(("splenic_flexure", "descending_colon"), 0.10),
    "sigmoid_resection": Operation(("sigmoid_colon",), 0.27),
    "low_anterior_resection": Operation(("sigmoid_colon",), 0.28, anastomosis_cm=8.0),
}
"""The common resections by name; every one leaves some rectum."""


def sample_operation(rng: random.Random) -> str | None:
    """Draw a patient's earlier resection; mostly none."""
    if rng.random() >= OPERATED_SHARE:
        return None
    shares = [operation.share for operation in OPERATIONS.values()]
    return rng.choices(tuple(OPERATIONS), weights=shares)[0]


def sample_reach(operation: str | None, rng: random.Random) -> str:
    """Draw the most proximal region seen: the ileum, the end of the colon, or short of it.

    Operated bowel is always seen to its end, so that each reason to leave a case out can be
    counted by itself. ``operation`` is ``None`` or a name of `OPERATIONS`.
    """
    if operation is None and rng.random() < INCOMPLETE_SHARE:
        return rng.choices(tuple(STOP_SHARES), weights=tuple(STOP_SHARES.values()))[0]
    if rng.random() < INTUBATION_SHARE:
        return COLON_REGIONS[0]
    resected = OPERATIONS[operation].resected if operation is not None else ()
    return next(region for region in COLON_REGIONS[1:] if region not in resected)
