"""Parameters of notebook 03: stage II, anchors of single-lesion cases."""

from typing import Literal

from pydantic import Field

from endoalign.config.endoclip import EndoclipParameters


class StageTwoParameters(EndoclipParameters):
    """What notebook 03 takes."""

    anchor_text: Literal["sentence", "prompt"] = Field(
        "sentence",
        description="what frames are compared with: the finding sentence, or 'polyp present'",
    )
