"""Parameters of notebook 11: ENT-CLIP's three tracks."""

from typing import Literal

from pydantic import Field

from endoalign.config.ent import EntPictureParameters, EntSystem


class EvalEntParameters(EntPictureParameters):
    """What notebook 11 takes."""

    prompt: Literal["literal", "description"] = Field(
        "literal", description="text that asks for a class"
    )
    baseline: EntSystem = Field("ENT-baseline", description="what each system is compared with")
    method: EntSystem = Field(
        "ENT-CLIP", description="the system of the figures and the submission"
    )
    backbones: dict[str, str] = Field(
        default_factory=dict, description="other image towers: name -> random, imagenet, …"
    )
    backbone_tower: Literal["frozen", "full"] = Field(
        "full", description="what of them is trained: a linear classifier, or all"
    )
    backbone_epochs: int = Field(20, ge=1, description="passes over the training pictures")
    backbone_rate: float = Field(1.0e-3, gt=0, description="highest learning rate")
    backbone_side: int = Field(224, ge=32, description="pictures of timm's models, pixels")
    batch_size: int = Field(32, ge=1, description="pictures a step")
    resamples: int = Field(2000, ge=100, description="bootstrap resamples of examinations")
    perplexity: float = Field(30.0, gt=1, description="of t-SNE")
    examples: int = Field(7, ge=1, le=24, description="pictures of the sheets")
    bar_accuracy: float | None = Field(None, description="least accuracy; none: no bar")
    bar_gain: float | None = Field(
        None, description="the gain in accuracy over the baseline must be surely more; none: no bar"
    )
    bar_t2i: float | None = Field(None, description="least text-to-image Recall@1; none: no bar")
