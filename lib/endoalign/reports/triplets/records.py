"""What is read out of a report for EndoVLM: triplets, and what became of each report."""

from collections import Counter
from dataclasses import dataclass
from typing import Final, NamedTuple

import pandas as pd

ACCEPTED: Final = "accepted"
NO_EXAMINATION: Final = "no examination"
NOT_GROUNDED: Final = "not grounded"
TOO_LONG: Final = "too long"
INVALID: Final = "invalid"
OUTCOMES: Final = (ACCEPTED, NO_EXAMINATION, NOT_GROUNDED, TOO_LONG, INVALID)
"""What may become of a report; only an accepted one has triplets.

``no examination``: neither a gastroscopy nor a colonoscopy. ``not grounded``: the answer holds a
proposition that the report's text does not bear out. ``too long``: prompt and answer exceed what
the model can hold. ``invalid``: the answer breaks the schema, which constrained decoding excludes.
"""


class ReportInput(NamedTuple):
    """One report to read; what is ``None`` is told from the text."""

    case_id: str
    text: str
    exam_type: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Triplet:
    """One triplet (s, a, h) of EndoVLM's section 2.1.

    ``proposition`` is the statement, ``region`` one of `endoalign.vocabulary.REGIONS`, ``status`` 1
    for abnormal and 0 for normal; ``text[start:end]`` of the report bears the statement out.
    """

    proposition: str
    region: str
    status: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReportTriplets:
    """The triplets of one report, in order of position.

    ``note`` says what was wrong where the outcome is not ``accepted``. ``truncated`` says that the
    model ran out of tokens, so that its last, unfinished finding was left out. ``unplaced`` counts
    findings without one of the examination's regions, of which no triplet can be made.
    """

    case_id: str
    exam_type: str | None
    triplets: tuple[Triplet, ...] = ()
    outcome: str = ACCEPTED
    note: str | None = None
    truncated: bool = False
    unplaced: int = 0


@dataclass(frozen=True)
class Extraction:
    """Everything that one engine read out of a list of reports, in their order."""

    engine: str
    reports: tuple[ReportTriplets, ...]

    def counts(self) -> dict[str, int]:
        """Reports by outcome, and how many were truncated, triplets made, findings unplaced."""
        outcomes = Counter(report.outcome for report in self.reports)
        return {
            "reports": len(self.reports),
            **{outcome: outcomes[outcome] for outcome in OUTCOMES},
            "truncated": sum(report.truncated for report in self.reports),
            "triplets": sum(len(report.triplets) for report in self.reports),
            "unplaced": sum(report.unplaced for report in self.reports),
        }

    def by_case(self) -> dict[str, tuple[Triplet, ...]]:
        """The triplets of every case, rejected ones with none."""
        return {report.case_id: report.triplets for report in self.reports}

    def table(self) -> pd.DataFrame:
        """One row a triplet; ``triplet_id`` is ``case_id#k``."""
        columns = ["triplet_id", "case_id", "proposition", "region", "status", "start", "end"]
        rows = [
            (f"{report.case_id}#{k}", report.case_id, t.proposition, t.region, t.status, *span)
            for report in self.reports
            for k, t in enumerate(report.triplets)
            for span in [(t.start, t.end)]
        ]
        return pd.DataFrame(rows, columns=columns).assign(engine=self.engine)
