"""Parameters of notebook 02: stage I, from case-level prompts to retained frames."""

from typing import Literal

from pydantic import Field

from endoalign.config.endoclip import EndoclipParameters
from endoalign.recovery.retention import RetentionSettings

SELECT = "select_on_validation"


class StageOneParameters(EndoclipParameters):
    """What notebook 02 takes."""

    epochs_two: int = Field(20, ge=1, description="epochs of EndoCLIP-II")
    retain_rule: Literal["quantile", "threshold", "top_per_case"] = Field(
        "quantile", description="how frames are retained"
    )
    retain_value: float | Literal["select_on_validation"] = Field(
        0.3, description="share, score or frames a case; or chosen on labelled validation frames"
    )
    retain_at_least: int = Field(1, ge=0, description="frames that each case keeps at least")
    retain_score: Literal["similarity", "margin"] = Field(
        "similarity", description="similarity to the prompt, or that minus to the other one"
    )
    per_positive_case: int | None = Field(
        None, ge=1, description="retained frames a positive case in pairs II; none: all"
    )
    per_normal_case: int | None = Field(
        1, ge=1, description="frames a normal case in pairs II; none: all"
    )

    def retention(self, value: float) -> RetentionSettings:
        """The rule of retention with ``value``."""
        return RetentionSettings(
            rule=self.retain_rule,
            value=value,
            at_least=self.retain_at_least,
            score=self.retain_score,
        )
