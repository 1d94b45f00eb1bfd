"""What the options of EndoReport100 may say: its tables and their columns."""

from pydantic import BaseModel, ConfigDict, Field


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class FrameColumns(_Strict):
    """Column of the table of frames by our name of it."""

    image: str = Field("image", min_length=1, description="path of the frame")
    case: str = Field("case_id", min_length=1, description="the case")
    polyp: str | None = Field("polyp", description="0 or 1; null where the table has none")


class LesionColumns(_Strict):
    """Column of the table of lesions by our name of it."""

    image: str = Field("image", min_length=1, description="path of the representative frame")
    case: str = Field("case_id", min_length=1, description="the case")
    sentence: str = Field("sentence", min_length=1, description="the sentence of the lesion")


class ReportColumns(_Strict):
    """Column of the table of reports by our name of it."""

    case: str = Field("case_id", min_length=1, description="the case")
    report: str = Field("report", min_length=1, description="the report")


class EndoReport100Options(_Strict):
    """What the options of EndoReport100 may say."""

    frames_table: str = Field(min_length=1)
    lesions_table: str = Field(min_length=1)
    reports_table: str | None
    images: str
    frame_columns: FrameColumns
    lesion_columns: LesionColumns
    report_columns: ReportColumns
