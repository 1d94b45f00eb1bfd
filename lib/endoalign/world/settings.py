"""Size and kind of a world."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class WorldSettings(BaseModel):
    """Size and kind of a world. The same settings give the same bytes on the same machine."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    exam_type: Literal["colonoscopy", "gastroscopy"] = Field(
        "colonoscopy", description="examination that the world's cases are"
    )
    whole_examinations: bool = Field(
        False, description="colonoscopy reports tell of each region; gastroscopy reports always do"
    )
    undocumented_share: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="of the regions without a finding: no still, no sentence; one far end stays",
    )
    positive_cases: int = Field(
        600, ge=0, description="cases with at least one polyp, or of gastroscopies any finding"
    )
    normal_cases: int = Field(600, ge=0, description="cases without one")
    frames_per_case: int = Field(12, ge=0, description="stills a case; 0: reports alone")
    normal_frames_per_case: int | None = Field(
        None, ge=0, description="stills of a case without a polyp; none: as many as of the others"
    )
    frame_height: int = Field(64, ge=32, le=1080, description="height of a frame, pixels")
    language: Literal["en", "zh", "mixed"] = Field("en", description="language of the reports")
    visible_share: float = Field(
        0.003, gt=0, lt=1, description="share of the content area from which a polyp counts as seen"
    )

    def frames_of(self, *, normal: bool) -> int:
        """Number of stills of a case with or without polyps."""
        fewer = self.normal_frames_per_case
        return fewer if normal and fewer is not None else self.frames_per_case
