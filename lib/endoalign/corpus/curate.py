"""Curation: reports become findings, and it is decided which cases and frames may be used.

EndoCLIP, section 4.3: reports are segmented into finding sentences and parsed; low-quality entries
and records without usable frames are left out.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field

from endoalign.corpus.parse_cases import parse_cases

NO_REPORT = "no report"
NO_FRAMES = "no usable frames"


class CurationSettings(BaseModel):
    """What makes a frame usable and a case eligible."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    min_quality: float = Field(0.3, ge=0, le=1, description="frames of lower quality are left out")
    drop_duplicates: bool = Field(True, description="leave out frames that repeat another")
    min_frames: int = Field(1, ge=0, description="usable frames that a case needs")


@dataclass(frozen=True)
class Curated:
    """Tables after curation, with the schemas of `endoalign.corpus.schemas`.

    ``cases`` has ``eligible`` and ``reason`` filled, ``frames`` has ``retained`` filled.
    """

    cases: pd.DataFrame
    frames: pd.DataFrame
    findings: pd.DataFrame

    @property
    def excluded(self) -> set[str]:
        """Ids of the cases that their report excludes (not those that lack a report or frames)."""
        by_report = self.cases["reason"].notna() & ~self.cases["reason"].isin(
            [NO_REPORT, NO_FRAMES]
        )
        return set(self.cases.loc[by_report, "case_id"])


def curate(
    cases: pd.DataFrame,
    frames: pd.DataFrame,
    settings: CurationSettings,
    *,
    processes: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Curated:
    """Parse every report, and decide on every frame and case.

    Args:
        cases: table of cases, as ingest writes it.
        frames: table of frames, as ingest writes it.
        processes: worker processes that parse reports.
        progress: called with (reports parsed, reports in all).
    """
    parsed = parse_cases(cases, processes=processes, progress=progress)
    frames = frames.assign(retained=usable(frames, settings))
    enough = frames.groupby("case_id")["retained"].sum() >= settings.min_frames
    has_frames = enough.reindex(cases["case_id"], fill_value=settings.min_frames == 0).to_numpy()
    reason = cases["case_id"].map(parsed.reasons)
    reason = reason.mask(cases["report_text"].str.strip() == "", NO_REPORT)
    reason = reason.mask(reason.isna() & ~has_frames, NO_FRAMES)
    decided = cases.assign(eligible=reason.isna(), reason=reason)
    return Curated(decided, frames, parsed.findings)


def usable(frames: pd.DataFrame, settings: CurationSettings) -> pd.Series:
    """Whether each frame may be used: sharp and well exposed enough, and no repetition."""
    good = frames["quality"] >= settings.min_quality
    return good & frames["duplicate_of"].isna() if settings.drop_duplicates else good


def polyp_positive(findings: pd.DataFrame) -> set[str]:
    """Ids of the cases whose report states at least one lesion that is not denied."""
    stated = (findings["kind"] == "lesion") & ~findings["negated"]
    return set(findings.loc[stated, "case_id"])


def report_funnel(curated: Curated) -> list[tuple[str, int]]:
    """Counts of cases after each step of the EndoCLIP paper's Fig. 1b."""
    cases = curated.cases
    positive = cases["case_id"].isin(polyp_positive(curated.findings))
    has_report = cases["report_text"].str.strip() != ""
    fit = cases["eligible"] | (cases["reason"] == NO_FRAMES)
    return [
        ("reports", int(has_report.sum())),
        ("polyp-positive", int((has_report & positive).sum())),
        ("eligible", int((has_report & positive & fit).sum())),
        ("with usable frames", int((has_report & positive & cases["eligible"]).sum())),
    ]


def frame_funnel(
    curated: Curated, settings: CurationSettings, rejected: int
) -> list[tuple[str, int]]:
    """Counts of frames after each step: files, readable, not a repetition, good enough."""
    frames = curated.frames
    alone = frames["duplicate_of"].isna() | (not settings.drop_duplicates)
    return [
        ("files", len(frames) + rejected),
        ("readable", len(frames)),
        ("no duplicate", int(alone.sum())),
        ("usable", int(frames["retained"].sum())),
    ]
