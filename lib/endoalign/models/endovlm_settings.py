"""What an EndoVLM model is: flat settings, each with its default from the paper or its code."""

from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from endoalign.paths import given


class EndovlmImageSettings(BaseModel):
    """The image tower, a vision transformer of timm (EndoVLM, section 3: ViT-B/16 at 224)."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    image_tower: str = Field(
        "vit_base_patch16_224", min_length=1, description="timm's name of a vision transformer"
    )
    image_weights: str = Field(
        "pretrained",
        min_length=1,
        description="pretrained (timm's own), random, or a file or folder with weights",
    )
    image_size: int = Field(224, ge=8, description="side of the pictures, pixels")
    patch_stem: Literal["linear", "lite0"] = Field(
        "linear",
        description="what makes tokens of patches: a trained linear map (paper), or one of what "
        "frozen ImageNet convolutions say of each patch, for few examinations and no GPU",
    )
    stem_dropout: float = Field(0.5, ge=0, lt=1, description="of those channels (lite0)")
    patch_size: int | None = Field(None, ge=1, description="side of a patch; none: the tower's")
    image_width: int | None = Field(None, ge=1, description="of a token; none: the tower's")
    image_depth: int | None = Field(None, ge=1, description="blocks; none: the tower's")
    image_heads: int | None = Field(None, ge=1, description="heads a block; none: the tower's")

    @model_validator(mode="after")
    def _patches_fill_the_picture(self) -> Self:
        if self.patch_size is not None and self.image_size % self.patch_size:
            raise ValueError(
                f"image_size {self.image_size} must be a multiple of patch_size {self.patch_size}"
            )
        return self


class EndovlmTextSettings(BaseModel):
    """The text tower, BERT-style (EndoVLM, section 3: PubMedBERT)."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    text_tower: str = Field(
        "microsoft/BiomedNLP-BiomedBERT-base-uncased-abstract-fulltext",
        min_length=1,
        description="tiny (a small BERT with words of its own), minilm, a hub name or a folder",
    )
    text_weights: Literal["pretrained", "random"] = Field(
        "pretrained", description="of a tower by name or folder; tiny is always random"
    )
    text_locked: bool = Field(
        False, description="train the head of the text tower only, as LiT; each text is read once"
    )
    text_pool: Literal["cls", "mean"] = Field(
        "cls", description="a text is its class token, or the mean of its tokens"
    )
    context_length: int = Field(256, ge=8, description="tokens a text; longer ones are cut")
    text_width: int = Field(128, ge=4, description="of a token (tiny)")
    text_layers: int = Field(2, ge=1, description="layers (tiny)")
    text_heads: int = Field(2, ge=1, description="heads a layer (tiny)")
    vocabulary_size: int = Field(2000, ge=100, description="most word pieces to learn (tiny)")


class EndovlmModelSettings(EndovlmImageSettings, EndovlmTextSettings):
    """Both towers, their heads, pooling (eq. 1) and the masked autoencoder (section 2.4)."""

    embed_dim: int = Field(512, ge=1, description="length d of features")
    image_feature: Literal["cls_and_mean", "cls"] = Field(
        "cls_and_mean",
        description="what of a frame is projected; the published code joins class token and mean",
    )
    heads: Literal["separate", "shared"] = Field(
        "separate", description="one projection for both alignments, or one each, as published"
    )
    global_pool: Literal["before_projection", "after_projection"] = Field(
        "before_projection",
        description="a case is the mean of its frames before their projection (published code) or "
        "of their unit-norm features (paper)",
    )
    top_k: int = Field(3, ge=1, description="K, frames a proposition takes (eq. 1)")
    agsp_temperature: float = Field(0.07, gt=0, description="tau_a of eq. 1")
    scale_logits: bool = Field(
        False, description="multiply relevance by the logit scale first, as the published code does"
    )
    mask_ratio: float = Field(0.75, gt=0, lt=1, description="share of the patches hidden")
    norm_pix_loss: bool = Field(True, description="reconstruct patches of mean 0 and deviation 1")
    decoder_width: int = Field(512, ge=4, description="of a token of the decoder")
    decoder_depth: int = Field(8, ge=1, description="blocks of the decoder")
    decoder_heads: int = Field(16, ge=1, description="heads a block of the decoder")


def without_places(settings: EndovlmModelSettings) -> dict[str, Any]:
    """The settings as JSON knows them; of absolute paths, places of this machine, the last name."""
    values = settings.model_dump(mode="json")
    for key in ("image_weights", "text_tower"):
        path = given(values[key])
        is_place = path.exists() or Path(values[key]).expanduser().is_absolute()
        values[key] = path.name if is_place else values[key]
    return values
