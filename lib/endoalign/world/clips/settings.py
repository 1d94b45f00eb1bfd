"""How many clips, how long, and what they are like."""

from pydantic import BaseModel, ConfigDict, Field, model_validator

from endoalign.world.renderer.processors import processor_named


class ClipSettings(BaseModel):
    """Size and kind of a set of clips. The same settings and seed give the same clips."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    polyp_clips: int = Field(100, ge=0, description="clips that show a polyp")
    normal_clips: int = Field(100, ge=0, description="clips without a polyp")
    seconds_low: float = Field(2.0, gt=0, le=60, description="shortest clip, seconds")
    seconds_high: float = Field(6.0, gt=0, le=60, description="longest clip, seconds")
    fps: float = Field(25.0, gt=0, le=120, description="frames a second")
    frame_height: int = Field(64, ge=16, le=1080, description="height of a frame, pixels; even")
    visible_share: float = Field(
        0.003, gt=0, lt=1, description="share of the content area from which a polyp counts as seen"
    )
    polyp_share: float = Field(
        0.3, gt=0, le=1, description="frames of a polyp's clip that show it, at least"
    )
    stool_share: float = Field(0.08, ge=0, le=1, description="clips of a badly cleansed bowel")
    source: str | None = Field(None, description="the one centre of all clips; none: as cases fall")

    @model_validator(mode="after")
    def _whole(self) -> "ClipSettings":
        if self.seconds_low > self.seconds_high:
            raise ValueError(
                f"seconds_low {self.seconds_low} must not exceed seconds_high {self.seconds_high}"
            )
        if self.frame_height % 2:
            raise ValueError(
                f"frame_height {self.frame_height} must be even: video is coded in pairs of pixels"
            )
        if self.source is not None:
            processor_named(self.source)
        return self
