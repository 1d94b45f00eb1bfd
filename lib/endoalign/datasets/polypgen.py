"""PolypGen: polyp frames and sequences of six centres."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.listing import Names
from endoalign.datasets.pairs import first_folder
from endoalign.datasets.polypgen_folders import (
    NAME,
    Rows,
    read_centre,
    read_negative,
    read_positive,
)

CENTRES: Final = {"C1": 256, "C2": 301, "C3": 457, "C4": 227, "C5": 208, "C6": 88}
"""Single frames of each centre."""
PROTOCOL: Final = "leave_one_centre_out"
ARCHIVE: Final = "PolypGen2021_MultiCenterData_v3"

CARD: Final = Card(
    name=NAME,
    title="PolypGen",
    page="https://doi.org/10.7303/syn26376615",
    licence="terms of the Synapse collection and of license.txt in the archive",
    citation=(
        "Ali et al., A multi-centre polyp detection and segmentation dataset for "
        "generalisability assessment, Scientific Data 10, 2023"
    ),
    layout=(
        "data_C1/images_C1/STEM.jpg, data_C1/masks_C1/STEM_mask.jpg … data_C6\n"
        "sequenceData/positive/seqN/images_seqN/*.jpg, masks_seqN/STEM_mask.jpg\n"
        "sequenceData/negativeOnly/seqN_neg/*.jpg\n"
        f"(or all of it under {ARCHIVE}/)"
    ),
    expected={
        **{f"centre={centre}": count for centre, count in CENTRES.items()},
        "single frames": sum(CENTRES.values()),
        "positive sequence frames": 2225,
        "negative sequence frames": 4275,
        "positive sequences": 23,
        "negative sequences": 23,
    },
    how_to_get="register with Synapse and download the archive of collection syn26376615",
    notes=(
        "Patients of the single frames are not known: split by centre.",
        "Some single frames show no polyp; their masks are empty.",
    ),
    lossy_masks=True,
)


def read(root: Path) -> Contents:
    """Return the tables of PolypGen under ``root``.

    A case is a sequence, or a single frame. Single frames have the label ``centre``, all frames
    ``origin`` (``single``, ``positive`` or ``negative``). The protocol ``leave_one_centre_out`` has
    the single frames in six folds by the centre that is tested on. Raises ValueError where
    nothing is found.
    """
    names = Names(root)
    base = next((b for b in ("", f"{ARCHIVE}/") if _has_data(names, b)), None)
    if base is None:
        refuse(CARD, root, "data_C1/images_C1/*.jpg or sequenceData/")
    rows = Rows()
    for centre in CENTRES:
        read_centre(names, base, centre, rows)
    read_positive(names, base, rows)
    read_negative(names, base, rows)
    return make_contents(
        CARD,
        root,
        cases=rows.cases,
        frames=rows.frames,
        masks=rows.masks,
        labels=rows.labels,
        splits=list(_splits(rows.labels)),
        problems=rows.problems,
        counted=rows.counted,
    )


def _has_data(names: Names, base: str) -> bool:
    folders = [f"{base}data_{c}/images_{c}" for c in CENTRES] + [f"{base}sequenceData"]
    return first_folder(names, *folders) is not None


def _splits(labels: list[dict[str, object]]) -> Iterator[dict[str, object]]:
    """Yield the six folds, each of which tests on the frames of one centre."""
    centres = [row for row in labels if row["task"] == "centre"]
    for fold in CENTRES:
        for row in centres:
            part = "test" if row["label"] == fold else "train"
            yield {"frame_id": row["frame_id"], "protocol": PROTOCOL, "fold": fold, "part": part}
