"""Where the half-real corpus takes its frames from, and what its cases look like."""

from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

DATASET = "half-real"
"""Name of the corpus in tables, results and reports: no figure of it goes without."""


class HalfRealSettings(BaseModel):
    """Sources and shape of the half-real corpus.

    ``polyps`` is laid out as Kvasir-SEG is: ``images/ID.jpg``, ``masks/ID.jpg`` and ``val.txt``,
    one id a line, the official validation list. ``normals`` is a folder of frames without polyps.
    Both may use ``$NAME`` of the environment (`endoalign.paths.expand`).
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    polyps: str = Field(description="folder with images/, masks/ and val.txt, as Kvasir-SEG has")
    normals: str = Field(description="folder of frames of normal mucosa")
    frames_per_case: int = Field(5, ge=3, description="frames of one case, polyps among them")
    single_share: float = Field(
        0.56, ge=0, le=1, description="share of positive cases with one polyp frame (paper: 56 %)"
    )
    normal_ratio: float = Field(1.0, ge=0, description="normal cases for each positive case")
    training_uses: int = Field(
        1,
        ge=1,
        description="times a polyp frame of the training split is used, each in another case and, "
        "after the first, through another window",
    )
    crop_polyps: float = Field(
        0.8, ge=0, le=1, description="share of polyp frames shown through a window, where one fits"
    )
    min_window: float = Field(
        0.45, ge=0.2, le=1, description="smallest window, share of the picture's side"
    )
    max_window: float = Field(
        0.8, ge=0.2, le=1, description="largest window on a frame with a polyp"
    )
    near_correlation: float = Field(
        0.55, ge=0, le=1, description="frames whose detail agrees so well share one split"
    )

    @model_validator(mode="after")
    def _windows_in_order(self) -> Self:
        if self.min_window > self.max_window:
            raise ValueError(f"min_window {self.min_window} exceeds max_window {self.max_window}")
        return self
