"""CVC-ColonDB: the 380 frames of the polyp segmentation setting, or the original 300."""

from pathlib import Path
from typing import Final

from endoalign.datasets.card import Card
from endoalign.datasets.contents import Contents
from endoalign.datasets.pair_folders import Release, read_release

CARD: Final = Card(
    name="cvc-colondb",
    title="CVC-ColonDB",
    page="http://mv.cvc.uab.es/projects/colon-qa/cvccolondb",
    licence="for research and education, with citation; terms on the page",
    citation=(
        "Bernal, Sánchez and Vilariño, Towards automatic polyp detection with a polyp appearance "
        "model, Pattern Recognition 45, 2012"
    ),
    layout=(
        "images/N.png, masks/N.png   380 frames, as TestDataset/CVC-ColonDB of Polyp-PVT\n"
        "or N.bmp, pN.bmp            300 frames and masks in one folder (sN, cN are not used)\n"
        "(either also under CVC-ColonDB/)"
    ),
    expected={"frames": 380, "masks": 380},
    how_to_get=(
        "TestDataset/CVC-ColonDB of Polyp-PVT (https://github.com/DengPingFan/Polyp-PVT), or the "
        "original from the page"
    ),
    notes=("The 300 original frames are of 15 sequences; which frame is of which is not told.",),
)


def _mask_of_original(stem: str) -> tuple[str, ...]:
    return (f"p{stem}",)


RELEASES: Final = (
    Release(
        "380 frames",
        ("images", "CVC-ColonDB/images", "TestDataset/CVC-ColonDB/images"),
        ("masks", "CVC-ColonDB/masks", "TestDataset/CVC-ColonDB/masks"),
        {"frames": 380, "masks": 380},
    ),
    Release(
        "original",
        ("", "CVC-ColonDB"),
        ("", "CVC-ColonDB"),
        {"frames": 300, "masks": 300},
        mask_stems=_mask_of_original,
        wanted=str.isdecimal,
    ),
)


def read(root: Path) -> Contents:
    """Return the tables of whichever release is under ``root``; all frames are for testing."""
    return read_release(root, CARD, RELEASES)
