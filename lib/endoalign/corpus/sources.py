"""Settings of where a corpus comes from: three kinds of source, strictly typed."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from endoalign.vocabulary import EXAM_TYPES, LANGUAGES, SPLITS

AnyPath = Annotated[Path, Field(strict=False)]
ExamType = Literal["colonoscopy", "gastroscopy", "ent"]
Split = Literal["train", "validation", "test"]
Language = Literal["", "en", "zh"]


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ReportColumns(_Settings):
    """Which column of the reports holds what; the first two must be there.

    A column of the others that the reports lack is filled from the source's defaults.
    """

    case_id: str = "case_id"
    report_text: str = "report_text"
    patient_id: str = "patient_id"
    exam_type: str = "exam_type"
    split: str = "split"
    source: str = "source"
    language: str = "language"


class FrameColumns(_Settings):
    """Which column of a table of frames holds what."""

    path: str = "path"
    case_id: str = "case_id"


class _Source(_Settings):
    """What every kind of source has. Defaults fill what a report does not say."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]+$", description="name of the source")]
    exam_type: ExamType = "colonoscopy"
    split: Split | Literal["by_patient"] = Field(
        default="train", description="where a report says none; by_patient: 80, 10 and 10 %"
    )
    language: Language = Field(
        default="", description="language of the reports; empty: by their script"
    )
    case_prefix: str = Field(
        default="", description="put before every case id, to keep sources apart"
    )
    on_bad_row: Literal["raise", "record"] = Field(
        default="raise", description="a broken or repeated row stops the ingest, or is recorded"
    )
    encoding: str = Field(
        default="", description="encoding of the reports; empty: UTF-8, or its mark"
    )


class FoldersSource(_Source):
    """A folder of frames, and reports as CSV, JSONL or Parquet; either may be absent.

    ``case_from`` says what names the case of a frame: its folder relative to ``frames``
    (``parent``), its file name without ending (``stem``), or its whole path without ending
    (``path``); the last two make each frame a case of its own.
    """

    kind: Literal["folders"] = "folders"
    frames: AnyPath | None = None
    reports: AnyPath | None = None
    case_from: Literal["parent", "stem", "path"] = "parent"
    report_columns: ReportColumns = ReportColumns()

    @model_validator(mode="after")
    def _one_at_least(self) -> "FoldersSource":
        if self.frames is None and self.reports is None:
            raise ValueError(f"source {self.name!r} names neither frames nor reports")
        return self


class EndoVLMSource(_Source):
    """EndoVLM's JSONL, one examination a line, with the folder its image paths start from."""

    kind: Literal["endovlm"] = "endovlm"
    jsonl: AnyPath
    frames: AnyPath
    report_field: Literal["endo_report", "endo_report_raw"] = "endo_report"


class TablesSource(_Source):
    """A table of frames and a table of reports (CSV, JSONL or Parquet), joined by the case id.

    Paths in the table of frames start from ``root``.
    """

    kind: Literal["tables"] = "tables"
    root: AnyPath
    frames: AnyPath
    reports: AnyPath | None = None
    frame_columns: FrameColumns = FrameColumns()
    report_columns: ReportColumns = ReportColumns()


Source = FoldersSource | EndoVLMSource | TablesSource
IngestSource = Annotated[Source, Field(discriminator="kind")]
"""Type of a setting that holds any source: its key ``kind`` is folders, endovlm or tables."""

VALUES = {"exam_type": EXAM_TYPES, "split": SPLITS, "language": LANGUAGES}
"""The closed vocabularies that columns of a report may draw from."""
