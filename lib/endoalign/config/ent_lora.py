"""Parameters of notebook 06: ENT-CLIP's training."""

from collections.abc import Sequence
from typing import Annotated, Self, TypeVar

from pydantic import Field, field_validator, model_validator

from endoalign.config.base import part
from endoalign.config.encoder import EncoderName
from endoalign.config.ent import EntPictureParameters, EntSystem
from endoalign.corpus.ent_groups import examination
from endoalign.training.ent_settings import EntSettings
from endoalign.training.ent_systems import SYSTEMS
from endoalign.world.ent.settings import EntSettings as WorldSettings

Seed = Annotated[int, Field(ge=0, lt=2**32)]
Value = TypeVar("Value")


class EntLoraParameters(EntPictureParameters, EntSettings):
    """What notebook 06 takes."""

    patients: int = Field(200, ge=1, description="patients of the embedded world")
    frame_height: int = Field(96, ge=32, le=1080, description="height of its pictures, pixels")
    group_pattern: str = Field(
        r"(?i)^(?P<examination>.+?)[_-]image[_-]?\d+$",
        description="regular expression of file names; what belongs together has one examination",
    )
    max_distance: int = Field(
        10, ge=0, le=64, description="bits of the hashes of like pictures, where no name tells"
    )
    validation_share: float = Field(0.1, ge=0, lt=1, description="of what is no test")
    encoder: EncoderName = Field("ViT-B-16", description="name in the registry of encoders")
    weights: str | None = Field("pretrained", description="see the registry of encoders")
    pretrain_epochs: int = Field(
        0, ge=0, description="epochs on the world's descriptions before; 0: the weights as they are"
    )
    pretrain_rate: float = Field(1.0e-3, gt=0, description="highest learning rate of that")
    full_rate: float = Field(
        1.0e-3, gt=0, description="highest learning rate where every weight of the tower moves"
    )
    systems: list[EntSystem] = Field(
        min_length=1, description="what is trained with each seed, by name"
    )
    once: list[EntSystem] = Field(
        default_factory=list, description="what is trained with the first seed alone"
    )
    seeds: list[Seed] = Field([1, 2, 3], min_length=1, description="seeds of the trainings")
    trainings_at_once: int = Field(
        1, ge=1, description="trainings side by side, on a processor; 1 for an accelerator"
    )
    processes: int = Field(2, ge=1, description="worker processes that render and measure")
    examples: int = Field(2, ge=1, le=8, description="pictures a class to show")

    @field_validator("group_pattern")
    @classmethod
    def _names_the_examination(cls, pattern: str) -> str:
        examination("", pattern)
        return pattern

    @model_validator(mode="after")
    def _each_training_once(self) -> Self:
        if (name := _repeated([*self.systems, *self.once])) is not None:
            raise ValueError(f"systems: {name!r} stands twice there or in once; keep one")
        if (seed := _repeated(self.seeds)) is not None:
            raise ValueError(f"seeds: {seed} stands twice; keep one")
        return self

    @property
    def needs_world(self) -> bool:
        """Whether the embedded world is made: as the pictures, or to pretrain on."""
        return self.root is None or self.pretrain_epochs > 0

    @property
    def world(self) -> WorldSettings:
        """The embedded world to make."""
        return WorldSettings(patients=self.patients, frame_height=self.frame_height)

    @property
    def training(self) -> EntSettings:
        """How the full method is trained."""
        return part(self, EntSettings)

    def training_of(self, system: str) -> EntSettings:
        """How a system is trained: what it changes in the full method."""
        changes = dict(SYSTEMS[system])
        if changes["tower"] == "full":
            changes["learning_rate"] = self.full_rate
        return self.training.model_copy(update=changes)

    def trainings(self) -> list[tuple[str, int]]:
        """System and seed of each training of a protocol, in order."""
        every = [(system, seed) for seed in self.seeds for system in self.systems]
        return every + [(system, self.seeds[0]) for system in self.once]


def _repeated(values: Sequence[Value]) -> Value | None:
    """The first value that stands there more than once."""
    return next((value for value in values if values.count(value) > 1), None)
