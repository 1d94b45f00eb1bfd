"""ETIS-LaribPolypDB: 196 polyp frames of high resolution."""

from pathlib import Path
from typing import Final

from endoalign.datasets.card import Card
from endoalign.datasets.contents import Contents
from endoalign.datasets.pair_folders import Release, read_release

CARD: Final = Card(
    name="etis",
    title="ETIS-LaribPolypDB",
    page="https://polyp.grand-challenge.org/EtisLarib/",
    licence="for research and education, with citation; terms on the page",
    citation=(
        "Silva et al., Toward embedded detection of polyps in WCE images for early diagnosis of "
        "colorectal cancer, International Journal of CARS 9, 2014"
    ),
    layout=(
        "ETIS-LaribPolypDB/N.tif, Ground Truth/pN.tif   original\n"
        "or images/N.png, masks/N.png              TestDataset/ETIS-LaribPolypDB of Polyp-PVT\n"
        "(either also under ETIS-LaribPolypDB/)"
    ),
    expected={"frames": 196, "masks": 196},
    how_to_get=(
        "the original from the page, or TestDataset/ETIS-LaribPolypDB of Polyp-PVT "
        "(https://github.com/DengPingFan/Polyp-PVT)"
    ),
)
_NAME: Final = "ETIS-LaribPolypDB"


def _mask_of_original(stem: str) -> tuple[str, ...]:
    return (f"p{stem}", stem)


RELEASES: Final = (
    Release(
        "repack",
        ("images", f"{_NAME}/images", f"TestDataset/{_NAME}/images"),
        ("masks", f"{_NAME}/masks", f"TestDataset/{_NAME}/masks"),
        CARD.expected,
    ),
    Release(
        "original",
        (f"{_NAME}/{_NAME}", _NAME),
        (f"{_NAME}/Ground Truth", "Ground Truth"),
        CARD.expected,
        mask_stems=_mask_of_original,
    ),
)


def read(root: Path) -> Contents:
    """Return the tables of whichever release is under ``root``; all frames are for testing."""
    return read_release(root, CARD, RELEASES)
