"""What is trained, on what and how: flat settings, each with its default from EndoCLIP."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.types import Strict

AnyPath = Annotated[Path, Strict(False)]
"""A path, given as a path or as text, as a settings file does."""


class TrainingSettings(BaseModel):
    """How a dual encoder is trained (EndoCLIP, section 4.4.4; OpenCLIP's defaults elsewhere)."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    epochs: int = Field(20, ge=1, description="passes over the pairs")
    batch_size: int = Field(16, ge=1, description="pairs (or bags) a forward pass and process")
    accumulation: int = Field(
        1, ge=1, description="forward passes an optimiser step; all are negatives of one another"
    )
    last_batch: Literal["keep", "drop"] = Field(
        "keep", description="an incomplete batch at the end of an epoch; OpenCLIP drops it"
    )
    learning_rate: float = Field(1e-5, gt=0, description="highest learning rate")
    warmup_steps: int = Field(50, ge=0, description="steps of linear rise, then cosine to 0")
    weight_decay: float = Field(0.1, ge=0, description="of AdamW, on matrices only")
    beta1: float = Field(0.9, ge=0, lt=1, description="of AdamW")
    beta2: float = Field(0.98, ge=0, lt=1, description="of AdamW")
    eps: float = Field(1e-6, gt=0, description="of AdamW")
    precision: Literal["fp32", "bf16", "fp16"] = Field(
        "fp32", description="of the forward pass; weights are always fp32"
    )
    max_grad_norm: float | None = Field(None, gt=0, description="gradient clipping; none: off")
    max_logit_scale: float = Field(
        100.0, gt=1, description="the logit scale is held between 1 and this after each step"
    )
    objective: Literal["info_nce", "mil_nce"] = Field(
        "info_nce", description="one frame a text, or a bag of frames a text"
    )
    bag_size: int = Field(4, ge=1, description="frames drawn from a bag each epoch (mil_nce)")
    targets: Literal["identity", "same_text"] = Field(
        "identity", description="whether pairs of one text count as negatives of one another"
    )
    local_loss: bool = Field(
        False, description="each process computes its own rows of the logits: less memory"
    )
    lock_text: bool = Field(
        False, description="train only the projection of a pretrained text tower (LiT)"
    )
    num_processes: int = Field(1, ge=1, description="processes, one a GPU")
    min_crop: float = Field(
        0.9, gt=0, le=1, description="smallest share of the picture in a random crop; 1: no crop"
    )
    flip: bool = Field(False, description="mirror half of the pictures")
    colour_jitter: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="largest change of brightness, contrast and saturation, a share",
    )
    workers: int = Field(2, ge=1, description="threads that decode frames, a process")
    save_every: int = Field(1, ge=1, description="epochs between states to resume from")
    tracker: Literal["none", "tensorboard", "wandb"] = Field(
        "none", description="where the curves go besides history.parquet"
    )


class TrainingJob(TrainingSettings):
    """One training: an encoder, its pairs, and where the checkpoint goes."""

    encoder: str = Field(min_length=1, description="name in the registry of encoders")
    weights: str | None = Field(
        "pretrained", description="pretrained, random, an OpenCLIP tag, a hub id or a folder"
    )
    corpus: AnyPath = Field(description="corpus folder")
    pairs: AnyPath = Field(description="Parquet file of pairs: frame_id, finding_id, text")
    validation_pairs: AnyPath | None = Field(
        None, description="pairs whose loss chooses the best epoch"
    )
    output: AnyPath = Field(description="folder of the checkpoint")
    cache: AnyPath | None = Field(
        None, description=".npy file of the small pictures, made at need; none: decode each epoch"
    )
    crop_content: bool = Field(True, description="crop frames to their content area")
    seed: int = Field(42, ge=0, lt=2**32, description="of initial weights, order and augmentation")

    @model_validator(mode="after")
    def _cache_is_named_as_an_array(self) -> "TrainingJob":
        if self.cache is not None and self.cache.suffix != ".npy":
            raise ValueError(f"cache is {self.cache}; its name must end in .npy")
        return self
