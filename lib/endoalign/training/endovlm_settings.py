"""How EndoVLM is trained, on what and where to: flat settings, defaults from the paper."""

from typing import Literal

from pydantic import Field, model_validator

from endoalign.models.endovlm_batch import Plan
from endoalign.models.endovlm_settings import EndovlmModelSettings
from endoalign.training.job import AnyPath


class EndovlmTrainingSettings(EndovlmModelSettings):
    """Model and training of EndoVLM (section 3; its published code where the paper is silent)."""

    epochs: int = Field(100, ge=1, description="passes over the examinations")
    batch_size: int = Field(96, ge=1, description="examinations an optimiser step and process")
    last_batch: Literal["keep", "drop"] = Field(
        "keep", description="an incomplete batch at the end of an epoch"
    )
    learning_rate: float = Field(1.5e-4, gt=0, description="base of the highest learning rate")
    lr_rule: Literal["per_256", "absolute"] = Field(
        "per_256",
        description="the rate is learning_rate x examinations a step / 256 (published code), or "
        "learning_rate itself",
    )
    warmup_epochs: float = Field(5.0, ge=0, description="epochs of linear rise, then cosine to 0")
    weight_decay: float = Field(0.05, ge=0, description="of AdamW, on matrices only")
    beta1: float = Field(0.9, ge=0, lt=1, description="of AdamW")
    beta2: float = Field(0.95, ge=0, lt=1, description="of AdamW")
    eps: float = Field(1e-8, gt=0, description="of AdamW")
    precision: Literal["fp32", "bf16", "fp16"] = Field(
        "fp32", description="of the forward pass; weights are always fp32"
    )
    max_grad_norm: float | None = Field(None, gt=0, description="gradient clipping; none: off")
    max_logit_scale: float = Field(
        100.0, gt=1, description="both logit scales are held between 1 and this after each step"
    )
    use_global: bool = Field(True, description="align whole examinations and reports (eq. 2)")
    fine_grained_weight: float = Field(1.0, ge=0, description="lambda_1 of eq. 6; 0: left out")
    fine_grained_after: float = Field(
        0.0, ge=0, description="epochs of whole examinations alone, before single findings (2.3)"
    )
    fine_grained_rise: float = Field(
        0.0, ge=0, description="epochs over which lambda_1 then rises from 0"
    )
    target_power: float = Field(
        1.0,
        gt=0,
        description="of the cosines in the soft targets (eq. 4: 1); more tells abnormal statements "
        "from normal ones of their region",
    )
    mae_weight: float = Field(1.0, ge=0, description="lambda_2 of eq. 6; 0: left out")
    mae_frames: Literal["selected", "all"] = Field(
        "selected", description="reconstruct frames that a proposition took (paper), or all"
    )
    global_text: Literal["report", "propositions"] = Field(
        "report", description="text of a whole examination: its report, or its propositions joined"
    )
    global_targets: Literal["identity", "same_text"] = Field(
        "identity", description="whether examinations of one text are negatives of one another"
    )
    frames_per_case: int = Field(
        150, ge=1, description="most frames of an examination in a step, drawn anew each epoch"
    )
    frame_chunk: int | None = Field(
        256, ge=1, description="frames that go through the image tower at once; none: all"
    )
    recompute: bool = Field(
        True, description="compute the inner results of chunks again in backward: less memory"
    )
    zoom: float = Field(0.25, ge=0, lt=1, description="largest change of a picture's size, a share")
    rotation: float = Field(180.0, ge=0, le=180, description="largest turn of a picture, degrees")
    flip: bool = Field(True, description="mirror half of the pictures, and half upside down")
    colour_jitter: float = Field(
        0.2, ge=0, lt=1, description="largest change of brightness, contrast, saturation, a share"
    )
    num_processes: int = Field(1, ge=1, description="processes, one a GPU")
    workers: int = Field(2, ge=1, description="threads that decode frames, a process")
    save_every: int = Field(1, ge=1, description="epochs between states to resume from")
    tracker: Literal["none", "tensorboard", "wandb"] = Field(
        "none", description="where the curves go besides history.parquet"
    )

    @model_validator(mode="after")
    def _the_plan_is_possible(self) -> "EndovlmTrainingSettings":
        self.plan()
        if self.fine_grained_weight > 0 and self.fine_grained_after >= self.epochs:
            raise ValueError(
                f"fine_grained_after {self.fine_grained_after:g} of {self.epochs} epochs: the "
                "fine-grained part would never be trained; set fine_grained_weight: 0 to leave it "
                "out"
            )
        return self

    def fine_grained_share(self, epochs: float) -> float:
        """Share of lambda_1 that holds after so many epochs."""
        since = epochs - self.fine_grained_after
        if self.fine_grained_rise == 0:
            return float(since >= 0)
        return min(1.0, max(0.0, since / self.fine_grained_rise))

    @property
    def augments(self) -> bool:
        """Whether a picture looks different from epoch to epoch."""
        return bool(self.zoom or self.rotation or self.flip or self.colour_jitter)

    def plan(self) -> Plan:
        """The parts of the model that this training computes."""
        return Plan(
            use_global=self.use_global,
            use_fine=self.fine_grained_weight > 0,
            use_mae=self.mae_weight > 0,
            mae_frames=self.mae_frames,
            frame_chunk=self.frame_chunk,
            recompute=self.recompute,
        )

    def highest_rate(self) -> float:
        """The highest learning rate itself, by ``lr_rule``."""
        if self.lr_rule == "absolute":
            return self.learning_rate
        return self.learning_rate * self.batch_size * self.num_processes / 256


class EndovlmJob(EndovlmTrainingSettings):
    """One training: its data, and where the checkpoint goes."""

    corpus: AnyPath = Field(description="corpus folder")
    propositions: AnyPath = Field(
        description="Parquet file: case_id, proposition, region, status (0 normal, 1 abnormal)"
    )
    output: AnyPath = Field(description="folder of the checkpoint")
    cache: AnyPath | None = Field(
        None, description=".npy file of the small pictures, made at need; none: decode each epoch"
    )
    crop_content: bool = Field(True, description="crop frames to their content area")
    seed: int = Field(42, ge=0, lt=2**32, description="of weights, order, masks and augmentation")

    @model_validator(mode="after")
    def _cache_is_named_as_an_array(self) -> "EndovlmJob":
        if self.cache is not None and self.cache.suffix != ".npy":
            raise ValueError(f"cache is {self.cache}; its name must end in .npy")
        return self
