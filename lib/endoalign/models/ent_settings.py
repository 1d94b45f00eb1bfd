"""What an ENT-CLIP model is made of; the switches of the paper's ablation (Table 4)."""

from typing import Annotated, Final, Literal

from pydantic import Field

from endoalign.models.fusion import FusionSettings
from endoalign.models.lora import LoraSettings
from endoalign.models.slerp import SlerpSettings


class EntClipSettings(LoraSettings, FusionSettings, SlerpSettings):
    """Parts of an ENT-CLIP model; the defaults are the full method."""

    tower: Literal["frozen", "lora", "full"] = Field(
        "lora", description="what of the image tower is trained: nothing, adapters, all of it"
    )
    fusion: bool = Field(True, description="MFA: fuse the CLS tokens of several blocks")
    fusion_joins: Literal["classifier", "both"] = Field(
        "classifier",
        description="where fused features go: to the classifier alone, as equations 10 to 14 have "
        "it, or added to the tower's features, which retrieval then sees too",
    )
    slerp: bool = Field(True, description="SFA: train on interpolated features too")
    prompt: Literal["literal", "description", "picture"] = Field(
        "literal",
        description="text of a picture: equation 1 to the letter, with its class's description, or "
        "with the picture's own description",
    )
    temperature: Literal["learnable"] | Annotated[float, Field(gt=0, le=1)] = Field(
        "learnable", description="of equations 12 and 13, which print none; a number holds it fixed"
    )


ABLATION: Final[dict[str, dict[str, object]]] = {
    "ENT-baseline": {"tower": "frozen", "fusion": False, "slerp": False},
    "ENT+LoRA": {"tower": "lora", "fusion": False, "slerp": False},
    "ENT+LoRA+MFA": {"tower": "lora", "fusion": True, "slerp": False},
    "ENT-CLIP": {"tower": "lora", "fusion": True, "slerp": True},
}
"""System -> switches, in the order of Table 4: ``settings.model_copy(update=ABLATION[system])``.

The paper calls the baseline "only the vision-language backbone"; here its towers are frozen and a
linear classifier is trained on its features.
"""
