"""Size and kind of the ENT part of the world."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class EntSettings(BaseModel):
    """Size and kind of a set of ENT pictures. Settings and seed give the same bytes again."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    patients: int = Field(200, ge=1, description="patients, each with one or two examinations")
    pictures_per_examination: int = Field(
        6, ge=1, description="mean number of pictures of an examination"
    )
    frame_height: int = Field(
        96, ge=32, le=1080, description="height of a picture, pixels; the width is 4/3 of it"
    )
    balance: Literal["entrep", "equal"] = Field(
        "entrep", description="classes as frequent as in the ENTRep challenge, or equally so"
    )
    healthy_share: float = Field(
        0.35, ge=0, le=1, description="share of the organs without a finding"
    )
    test_share: float = Field(0.2, ge=0, lt=1, description="share of the patients in the test set")
    validation_share: float = Field(
        0.15, ge=0, lt=1, description="share of the patients in the validation set"
    )
