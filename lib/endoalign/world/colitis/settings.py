"""How many patients with colitis, how ill they are, and what their pictures are like."""

from pydantic import BaseModel, ConfigDict, Field, model_validator

from endoalign.world.renderer.processors import processor_named


class ColitisSettings(BaseModel):
    """Size and kind of a set of graded pictures; the defaults follow the shares of LIMUC.

    LIMUC (Polat et al. 2022): 564 patients, 11,276 pictures, 54, 27, 11 and 8 % of Mayo 0 to 3,
    15 % of them a test set apart by patient.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    patients: int = Field(564, ge=1, description="patients with colitis, one examination each")
    frames_per_patient: int = Field(20, ge=1, description="pictures a patient")
    frame_height: int = Field(64, ge=16, le=1080, description="height of a picture, pixels")
    mayo_0: float = Field(0.26, ge=0, description="weight of patients at rest: worst grade 0")
    mayo_1: float = Field(0.32, ge=0, description="weight of patients whose worst grade is 1")
    mayo_2: float = Field(0.22, ge=0, description="weight of patients whose worst grade is 2")
    mayo_3: float = Field(0.20, ge=0, description="weight of patients whose worst grade is 3")
    validation_share: float = Field(0.1, ge=0, lt=1, description="patients in validation")
    test_share: float = Field(0.15, ge=0, lt=1, description="patients in the test set")
    inflamed_share: float = Field(
        0.6, ge=0, le=1, description="pictures taken where the disease is, if there is any"
    )
    distractor_share: float = Field(
        0.08, ge=0, le=1, description="pictures with bubbles or large text over them"
    )
    source: str | None = Field(
        None, description="the one centre of all pictures; none: all whose optics show vessels"
    )

    @model_validator(mode="after")
    def _whole(self) -> "ColitisSettings":
        if sum(self.mayo_weights()) <= 0.0:
            raise ValueError("mayo_0 to mayo_3 are all 0; at least one must be above 0")
        if self.validation_share + self.test_share >= 1.0:
            raise ValueError(
                f"validation_share {self.validation_share} and test_share {self.test_share} "
                "leave nothing to train on; their sum must be below 1"
            )
        if self.source is not None:
            processor_named(self.source)
        return self

    def mayo_weights(self) -> tuple[float, float, float, float]:
        """Weights of the worst grade of a patient, in the order of the grades."""
        return self.mayo_0, self.mayo_1, self.mayo_2, self.mayo_3
