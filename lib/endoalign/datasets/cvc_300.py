"""CVC-300: the 300 frames of EndoScene, or the 60 of them on which polyp segmentation is tested."""

from pathlib import Path
from typing import Final

from endoalign.datasets.card import Card
from endoalign.datasets.contents import Contents
from endoalign.datasets.pair_folders import Release, read_release

CARD: Final = Card(
    name="cvc-300",
    title="CVC-300 (EndoScene)",
    page="https://polyp.grand-challenge.org/",
    licence="for research and education, with citation; terms on the page",
    citation=(
        "Vázquez et al., A Benchmark for Endoluminal Scene Segmentation of Colonoscopy Images, "
        "Journal of Healthcare Engineering, 2017"
    ),
    layout=(
        "images/N.png, masks/N.png   the 60 test frames of the PraNet and Polyp-PVT setting\n"
        "or bbdd/N.bmp, gtpolyp/N.bmp   the 300 frames of EndoScene\n"
        "(either also under CVC-300/)"
    ),
    expected={"frames": 60, "masks": 60},
    how_to_get=(
        "the 60 frames are TestDataset/CVC-300 of Polyp-PVT (https://github.com/DengPingFan/"
        "Polyp-PVT); the 300 are in CVC-EndoSceneStill, on request from its authors"
    ),
    notes=("Its frames are in CVC-ColonDB as well: never train on one and test on the other.",),
)
RELEASES: Final = (
    Release(
        "test frames",
        ("images", "CVC-300/images", "TestDataset/CVC-300/images"),
        ("masks", "CVC-300/masks", "TestDataset/CVC-300/masks"),
        {"frames": 60, "masks": 60},
    ),
    Release(
        "EndoScene",
        ("bbdd", "CVC-300/bbdd", "CVC-EndoSceneStill/CVC-300/bbdd"),
        ("gtpolyp", "CVC-300/gtpolyp", "CVC-EndoSceneStill/CVC-300/gtpolyp"),
        {"frames": 300, "masks": 300},
    ),
)


def read(root: Path) -> Contents:
    """Return the tables of whichever release is under ``root``; all frames are for testing."""
    return read_release(root, CARD, RELEASES)
