"""What the notebooks of ENT-CLIP share: the pictures, and where models lie."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, ValidationInfo, model_validator

from endoalign.config.base import NAME, ExistingPath, Parameters
from endoalign.corpus.validation import nearest
from endoalign.models.ent_prompts import load_classes
from endoalign.paths import artifact, expand
from endoalign.training.ent_systems import SYSTEMS


def _known(name: str) -> str:
    if name not in SYSTEMS:
        raise ValueError(f"{name!r} is none of {', '.join(SYSTEMS)}{nearest(name, list(SYSTEMS))}")
    return name


EntSystem = Annotated[str, AfterValidator(_known)]
"""Name of a system of `ent_systems`."""
Protocol = Literal["grouped", "official", "disjoint"]


class EntPictureParameters(Parameters):
    """Which pictures, and how they are divided."""

    dataset: str = Field("world-ent", description="name of the pictures in results")
    source: Literal["entrep", "otoscopy", "own-classes"] = Field(
        "entrep", description="adapter of the data set; own-classes: a folder a class"
    )
    root: ExistingPath | None = Field(
        None, description="folder of the data set; none: the embedded world is made and taken"
    )
    challenge: ExistingPath | None = Field(
        None, description="folder of ENTRep's challenge, whose test is held out; none: the world's"
    )
    classes: str = Field("entrep", description="set of classes: entrep, otoscopy or a YAML file")
    models: str = Field("ent_clip", pattern=NAME, description="folder of models in the artifacts")
    protocols: list[Protocol] = Field(
        ["official"], min_length=1, description="divisions to train and test on; see the notebook"
    )

    @model_validator(mode="after")
    def _settings_agree(self, info: ValidationInfo) -> Self:
        if self.source == "own-classes" and (self.root is None or self.challenge is not None):
            raise ValueError("source: own-classes needs a root, and challenge: null")
        if len(set(self.protocols)) < len(self.protocols):
            raise ValueError(f"protocols: each can stand once, not {self.protocols}")
        if (info.context or {}).get("files", True):
            try:
                load_classes(self.classes)
            except ValueError as error:
                raise ValueError(f"classes: {error}") from None
        return self

    @property
    def world_folder(self) -> Path:
        """Folder of the embedded ENT world."""
        return artifact("ent", self.profile)

    @property
    def picture_folder(self) -> Path:
        """Folder that the adapter reads."""
        return expand(self.root) if self.root else self.world_folder / "earlier"

    @property
    def challenge_folder(self) -> Path | None:
        """Folder of the challenge, None where the pictures have none."""
        if self.challenge is not None:
            return expand(self.challenge)
        return self.world_folder / "challenge" if self.root is None else None

    @property
    def answers_folder(self) -> Path | None:
        """Folder of the challenge's answers, None where they are not known."""
        known = self.root is None and self.challenge is None
        return self.world_folder / "truth" if known else None

    @property
    def folder(self) -> Path:
        """Folder of the table of pictures and of the models."""
        return artifact(self.models, self.profile)

    def cache(self, side: int) -> Path:
        """File of the pictures, ``side`` pixels wide and high."""
        return self.folder / f"pixels_{side}.npy"

    def model_folder(self, protocol: str, system: str, seed: int) -> Path:
        """Folder of one training."""
        return self.folder / protocol / system / f"seed_{seed}"
