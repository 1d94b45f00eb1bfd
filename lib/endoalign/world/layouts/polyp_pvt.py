"""Labelled pictures as the segmentation setting of PraNet and Polyp-PVT: PNG, folders as split."""

from collections.abc import Mapping
from pathlib import Path

from endoalign.world.layouts.pictures import LabelledPicture, mask_of, soft_mask, write_picture

Named = Mapping[str, LabelledPicture]
"""Pictures by the stem of their file."""


def write(train: Named, tests: Mapping[str, Named], folder: Path, *, older: bool = False) -> None:
    """Write ``TrainDataset/{image,mask}`` and ``TestDataset/SET/{images,masks}``.

    Args:
        train: the training pictures; numbers as names are stills of CVC-ClinicDB, others
            frames of Kvasir-SEG.
        tests: the pictures of each test set by its name.
        folder: to write to.
        older: name the training folders ``images`` and ``masks``, as an older release does.
    """
    images, masks = ("images", "masks") if older else ("image", "mask")
    _write_set(train, folder / "TrainDataset", images, masks)
    for name, pictures in tests.items():
        _write_set(pictures, folder / "TestDataset" / name, "images", "masks")


def _write_set(pictures: Named, folder: Path, images: str, masks: str) -> None:
    for stem, picture in pictures.items():
        write_picture(picture.rgb, folder / images / f"{stem}.png")
        write_picture(soft_mask(mask_of(picture)), folder / masks / f"{stem}.png")
