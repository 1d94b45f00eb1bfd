"""How an ENT-CLIP model is trained: flat settings with their defaults from the paper."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from endoalign.losses.ent_joint import MU1, MU2
from endoalign.models.ent_settings import EntClipSettings


class EntAugmentationSettings(BaseModel):
    """Augmentation (ENT-CLIP, section 4.1); the paper gives no strengths but those of the mask."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    motion_blur: float = Field(0.2, ge=0, le=1, description="chance of motion blur")
    gaussian_blur: float = Field(0.2, ge=0, le=1, description="chance of Gaussian blur")
    blur_extent: float = Field(
        0.03, gt=0, le=0.2, description="longest motion and widest blur, a share of the side"
    )
    colour_change: float = Field(
        0.2, ge=0, lt=1, description="largest change of brightness, contrast, saturation; a share"
    )
    vertical_flip: Literal["every", "mirror_table", "never"] = Field(
        "every",
        description="classes turned upside down by chance; the paper does so with every one, "
        "though that too is a mirror image",
    )
    horizontal_flip: Literal["mirror_table", "never", "every"] = Field(
        "mirror_table",
        description="classes mirrored by chance; every ignores the table, to show the harm",
    )
    mask_patch: int = Field(16, ge=1, description="side of a masked patch, pixels")
    mask_share: float = Field(0.1, ge=0, lt=1, description="share of the patches that is masked")


class EntSettings(EntClipSettings, EntAugmentationSettings):
    """Model, augmentation and training of ENT-CLIP (section 4.1)."""

    epochs: int = Field(50, ge=1, description="passes over the training pictures")
    batch_size: int = Field(32, ge=1, description="pictures an optimiser step and process")
    learning_rate: float = Field(5e-4, gt=0, description="highest learning rate")
    warmup_steps: int = Field(20, ge=0, description="steps of linear rise, then cosine to 0")
    weight_decay: float = Field(0.01, ge=0, description="of AdamW, on matrices only")
    beta1: float = Field(0.9, ge=0, lt=1, description="of AdamW")
    beta2: float = Field(0.999, ge=0, lt=1, description="of AdamW")
    eps: float = Field(1e-8, gt=0, description="of AdamW")
    max_grad_norm: float | None = Field(1.0, gt=0, description="gradient clipping; none: off")
    max_logit_scale: float = Field(
        100.0, gt=1, description="the logit scale is held between 1 and this after each step"
    )
    precision: Literal["fp32", "bf16"] = Field("fp32", description="of the forward pass")
    mu1: float = Field(MU1, ge=0, description="weight of the classification loss")
    mu2: float = Field(MU2, ge=0, description="weight of the contrastive loss")
    targets: Literal["class", "identity"] = Field(
        "class", description="what matches a picture: texts of its class, or its own text alone"
    )
    interpolated_enter: Literal["both", "classification", "contrastive"] = Field(
        "both", description="losses that see interpolated features"
    )
