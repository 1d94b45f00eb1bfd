"""Parameters of notebook 04: stage III, matches of multi-lesion cases, controls and options."""

from typing import Literal

from pydantic import Field

from endoalign.config.base import ExistingPath
from endoalign.config.endoclip import EndoclipParameters
from endoalign.recovery.disambiguation import MatchingSettings

Option = Literal["one_to_one", "second_round", "mil_nce"]


class StageThreeParameters(EndoclipParameters):
    """What notebook 04 takes."""

    threshold: float | Literal["select_on_validation"] | None = Field(
        0.28, description="matches must score above it; none: keep all; or chosen on validation"
    )
    assignment: Literal["argmax", "one_to_one"] = Field(
        "argmax", description="each sentence its best frame, or one frame a sentence"
    )
    exclusive: bool = Field(False, description="of two sentences with one frame, keep the better")
    links: ExistingPath | None = Field(
        None, description="CSV of known links of validation cases: finding_id, frame_id"
    )
    options: list[Option] = Field(
        default_factory=list, description="beyond the paper: one_to_one, second_round, mil_nce"
    )
    bag_top: int | None = Field(4, ge=1, description="frames a bag of mil_nce; none: all retained")

    def matching(self, threshold: float | None, assignment: str | None = None) -> MatchingSettings:
        """How sentences are matched."""
        return MatchingSettings.model_validate(
            {
                "assignment": assignment or self.assignment,
                "threshold": threshold,
                "exclusive": self.exclusive,
            }
        )
