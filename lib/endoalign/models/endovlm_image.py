"""EndoVLM's image tower: a vision transformer of timm, with weights by name or from disk."""

import difflib
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import timm
from timm.models.vision_transformer import VisionTransformer

from endoalign.models.architecture import seeded
from endoalign.models.endovlm_settings import EndovlmImageSettings
from endoalign.models.hub import fetching
from endoalign.models.lite0 import IMAGENET_MEAN, IMAGENET_STD
from endoalign.models.patch_stem import Lite0Patches, patch_stem
from endoalign.models.weights import UNREADABLE, first_line, missing_weights
from endoalign.paths import given

PRETRAINED: Final = "pretrained"
RANDOM: Final = "random"
_MODULES: Final = ("vision_transformer", "deit")
_SUFFIXES: Final = (".safetensors", ".bin", ".pth", ".pt")


def build_image_tower(
    settings: EndovlmImageSettings, *, seed: int, fill_stem: bool = True
) -> VisionTransformer:
    """The tower, without classifier; new weights depend on ``seed`` alone.

    Weights of another picture size are taken with their place embeddings resampled, as timm does.

    Args:
        fill_stem: give a frozen stem its packaged weights; not needed where a checkpoint follows.

    Raises:
        ValueError: timm has no vision transformer of that name (the message tells the nearest), it
            has no class token, or weights are named for a tower with a stem, which fit none.
        WeightsError: the weights are not to be had, or do not fit.
    """
    name, weights = settings.image_tower, settings.image_weights
    _check_name(name)
    options: dict[str, Any] = {
        "img_size": settings.image_size,
        "patch_size": settings.patch_size,
        "embed_dim": settings.image_width,
        "depth": settings.image_depth,
        "num_heads": settings.image_heads,
    }
    options = {key: value for key, value in options.items() if value is not None}
    if weights == RANDOM:  # as He et al. start: timm's own 0.02 is too small for narrow towers
        options["weight_init"] = "jax"
    if settings.patch_stem == "lite0":
        if weights != RANDOM:
            raise ValueError(f"patch_stem: lite0 goes with image_weights: random, not {weights!r}")
        options["embed_layer"] = partial(Lite0Patches, dropout=settings.stem_dropout)
        options["pretrained_cfg_overlay"] = {"mean": IMAGENET_MEAN, "std": IMAGENET_STD}
    if weights not in (PRETRAINED, RANDOM):
        options["pretrained_cfg_overlay"] = {"file": str(_weights_file(name, weights))}
    source = "timm" if weights == PRETRAINED else weights
    with fetching(name, source, from_disk=weights != PRETRAINED), seeded(seed):
        try:
            tower = timm.create_model(name, pretrained=weights != RANDOM, num_classes=0, **options)
        except UNREADABLE as error:
            if weights in (PRETRAINED, RANDOM):
                raise
            raise missing_weights(name, source, f"damaged: {first_line(error)}") from error
    stem = patch_stem(tower)
    if stem is not None and fill_stem:
        stem.fill()
    if tower.cls_token is None:
        raise ValueError(
            f"image_tower {name!r} has no class token; take one such as vit_base_patch16_224"
        )
    return cast(VisionTransformer, tower)


def normalisation(tower: VisionTransformer) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Mean and deviation of red, green and blue that a tower of timm was trained with."""
    facts = cast(dict[str, Any], tower.pretrained_cfg)
    return tuple(facts["mean"]), tuple(facts["std"])


def _check_name(name: str) -> None:
    base, _, tag = name.partition(".")
    known = [one for module in _MODULES for one in timm.list_models(module=module)]
    if base not in known:
        (near,) = difflib.get_close_matches(base, known, n=1, cutoff=0.0)
        raise ValueError(
            f"image_tower {name!r} is no vision transformer of timm; the nearest is {near!r} "
            "(all: timm.list_models(module='vision_transformer'))"
        )
    if tag and name not in timm.list_pretrained(f"{base}.*"):
        tags = ", ".join(one.partition(".")[2] for one in timm.list_pretrained(f"{base}.*"))
        raise ValueError(f"image_tower {name!r}: timm has no weights {tag!r}; it has {tags}")


def _weights_file(name: str, weights: str) -> Path:
    """The file itself, or the only file with weights in the folder."""
    path = given(weights)
    if path.is_file():
        return path
    if not path.is_dir():
        raise missing_weights(name, repr(weights), "no such file or folder")
    found = sorted(file for file in path.iterdir() if file.suffix in _SUFFIXES)
    if len(found) != 1:
        names = ", ".join(file.name for file in found) or "none"
        raise missing_weights(name, repr(weights), f"one file with weights is wanted, not {names}")
    return found[0]
