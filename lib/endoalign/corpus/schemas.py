"""The schema of every table of a corpus; columns as `docs/architecture.md` lists them."""

from typing import Any, Final

import pandas as pd
import pandera.pandas as pa

from endoalign.corpus.columns import flag, names, one_of, pattern, real, text, whole
from endoalign.vocabulary import (
    DESCRIPTORS,
    EXAM_TYPES,
    FINDING_KINDS,
    LANGUAGES,
    LESION_COLOURS,
    PARIS_TYPES,
    REGIONS,
    SPLITS,
)


def _table(columns: dict[str, pa.Column], *checks: pa.Check) -> pa.DataFrameSchema:
    return pa.DataFrameSchema(columns, checks=list(checks), strict=True, coerce=True)


def _ordered(low: str, high: str, *, strictly: bool = False) -> pa.Check:
    """Return the check that column ``low`` does not exceed, or lies below, column ``high``."""

    def check(table: pd.DataFrame) -> Any:
        return table[low] < table[high] if strictly else table[low] <= table[high]

    return pa.Check(check, error=f"{low} {'<' if strictly else '<='} {high}")


_SCORE: Final = "share of 1"
_IDS: Final = "list of ids"
_DESCRIPTORS: Final = f"list of descriptors, each one of {', '.join(DESCRIPTORS)}"

CASES: Final = _table(
    {
        "case_id": text("id of the case, used once", unique=True),
        "patient_id": text("id of the patient"),
        "exam_type": one_of(EXAM_TYPES),
        "split": one_of(SPLITS),
        "source": text("name of the source"),
        "language": one_of(LANGUAGES),
        "report_text": text("text of the report, empty where there is none"),
        "eligible": flag("true, false or undecided", nullable=True),
        "reason": text("why the case is not eligible", nullable=True),
    }
)
FRAMES: Final = _table(
    {
        "frame_id": text("id of the frame, used once", unique=True),
        "case_id": text("id of the case"),
        "path": text("path of the file, relative to the corpus's frame root"),
        "index": whole("place of the frame in its case"),
        "width": whole("pixels", 1),
        "height": whole("pixels", 1),
        "sha256": pattern("64 hexadecimal digits", "[0-9a-f]{64}"),
        "phash": pattern("16 hexadecimal digits", "[0-9a-f]{16}"),
        "quality": real(_SCORE, 0, 1),
        "sharpness": real(_SCORE, 0, 1),
        "exposure": real(_SCORE, 0, 1),
        "colour": real(_SCORE, 0, 1),
        "box_left": whole("pixels"),
        "box_top": whole("pixels"),
        "box_right": whole("pixels", 1),
        "box_bottom": whole("pixels", 1),
        "duplicate_of": text("frame_id of the frame it repeats", nullable=True),
        "retained": flag("true, false or undecided", nullable=True),
    },
    _ordered("box_left", "box_right", strictly=True),
    _ordered("box_top", "box_bottom", strictly=True),
    _ordered("box_right", "width"),
    _ordered("box_bottom", "height"),
)
REJECTED: Final = _table(
    {
        "path": text("the file, or file:line of a row"),
        "case_id": text("id of the case", nullable=True),
        "reason": text("why it was left out"),
    }
)
_STATED: Final = {
    "start": whole("offset in report_text"),
    "end": whole("offset in report_text"),
    "kind": one_of(FINDING_KINDS),
    "region": one_of(REGIONS, nullable=True),
    "status": whole("0 or 1"),
    "count": whole("number of lesions", 1, nullable=True),
    "size_cm": real("cm", 0, 100, nullable=True),
    "paris": one_of(PARIS_TYPES, nullable=True),
    "descriptors": names(_DESCRIPTORS, DESCRIPTORS),
    "negated": flag("true or false"),
}
_FINDING_CHECKS: Final = (
    _ordered("start", "end"),
    pa.Check(lambda table: table["status"] <= 1, error="status is 0 or 1"),
)
FINDINGS: Final = _table(
    {
        "finding_id": text("id of the finding, used once", unique=True),
        "case_id": text("id of the case"),
        "sentence": text("the words of the report"),
        "start": _STATED["start"],
        "end": _STATED["end"],
        "kind": _STATED["kind"],
        "site": text("the site in the words of the report", nullable=True),
        **_STATED,  # the first three keep the places given above
    },
    *_FINDING_CHECKS,
)
TRUE_FINDINGS: Final = _table(
    {
        "finding_id": text("id of the finding, used once", unique=True),
        "case_id": text("id of the case"),
        **_STATED,
        "lesion_ids": names(_IDS),
    },
    *_FINDING_CHECKS,
)
TRUE_CASES: Final = _table(
    {
        "case_id": text("id of the case, used once", unique=True),
        "complete": flag("whether all of an unoperated organ was seen"),
        "reach": one_of(REGIONS),
        "operation": text("what was resected before, empty where nothing was", nullable=True),
    }
)
LESIONS: Final = _table(
    {
        "lesion_id": text("id of the lesion, used once", unique=True),
        "case_id": text("id of the case"),
        "region": one_of(REGIONS),
        "distance_cm": real("cm from the anal verge, or from the incisors", 0, 300),
        "clock": real("hours", 0, 12),
        "paris": one_of(PARIS_TYPES),
        "size_cm": real("cm", 0, 100),
        "colour": one_of(LESION_COLOURS),
        "descriptors": names(_DESCRIPTORS, DESCRIPTORS),
        "seed": whole("seed of the lesion's surface"),
    }
)
LINKS: Final = _table(
    {
        "finding_id": text("id of the finding"),
        "frame_id": text("id of the frame"),
        "representative": flag("true or false"),
    }
)
FRAME_LABELS: Final = _table(
    {
        "frame_id": text("id of the frame, used once", unique=True),
        "polyp_present": flag("true or false"),
        "region": one_of(REGIONS, nullable=True),
        "mask_path": text("path of the mask, relative to the truth folder", nullable=True),
    }
)
SCHEMAS: Final[dict[str, pa.DataFrameSchema]] = {
    "cases": CASES,
    "frames": FRAMES,
    "rejected": REJECTED,
    "findings": FINDINGS,
}
"""Tables of a corpus folder, by the name of their file."""
TRUTH_SCHEMAS: Final[dict[str, pa.DataFrameSchema]] = {
    "cases": TRUE_CASES,
    "findings": TRUE_FINDINGS,
    "lesions": LESIONS,
    "links": LINKS,
    "frame_labels": FRAME_LABELS,
}
"""Tables of a ``truth/`` folder, by the name of their file."""
