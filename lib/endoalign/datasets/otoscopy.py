"""Ear imagery database: otoscopy in four classes, 220 pictures each."""

from pathlib import Path, PurePosixPath
from typing import Final

from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.class_folders import absent_classes, classed_pictures, without_repeats
from endoalign.datasets.class_names import ClassNames
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.listing import Names
from endoalign.datasets.problems import Problem, missing

OTOSCOPY: Final = ClassNames(
    ("Chronic otitis media", "Earwax plug", "Myringosclerosis", "Normal"),
    {"Earwax": "Earwax plug", "Miringosclerosis": "Myringosclerosis"},
)
"""The four classes, as the folders spell them."""
_PARTS: Final = {
    "train": ("train", "Training-validation", "training"),
    "test": ("test", "Testing"),
}

CARD: Final = Card(
    name="otoscopy",
    title="Ear imagery database",
    page="https://doi.org/10.6084/m9.figshare.11886630",
    licence="CC BY 4.0",
    citation="Viscaino et al. 2020, PLOS ONE 15(3): e0229226, doi:10.1371/journal.pone.0229226",
    layout="train/CLASS/*.jpg\ntest/CLASS/*.jpg   (CLASS: " + ", ".join(OTOSCOPY.names) + ")",
    expected={
        "frames": 880,
        "train": 720,
        "test": 160,
        **{f"class={name}": 220 for name in OTOSCOPY.names},
    },
    how_to_get="download the archive from the page; its two parts become train and test.",
    notes=(
        "The pictures are frames of videos and tell no patient: neighbours in number are often one "
        "ear. Frames of one video stand in training and in test; without that, accuracies of 99 % "
        "fell to 83 % (arXiv:2511.04872). Group by look before dividing anew.",
        "The side of the ear is not told.",
    ),
)


def read(root: Path) -> Contents:
    """Return the pictures, their classes (task ``class``) and the published division.

    Each picture is a case of its own; names repeat between the parts, so an id holds its part. The
    protocol ``official`` has the parts ``train`` and ``test``.
    """
    names = Names(root)
    cases, frames, labels, splits = [], [], [], []
    problems: list[Problem] = []
    for part, folders in _PARTS.items():
        folder = names.find_first(*folders)
        if folder is None:
            problems.append(missing(folders[0], "no such folder; it should hold a folder a class"))
            continue
        found, wrong = classed_pictures(names, folder, OTOSCOPY)
        ids = [f"{CARD.name}/{part}/{PurePosixPath(picture.path).stem}" for picture in found]
        pictures, repeats = without_repeats(found, ids)
        problems += [*wrong, *repeats, *absent_classes(found, OTOSCOPY.names, folder)]
        for frame_id, picture in pictures.items():
            cases.append({"case_id": frame_id, "exam_type": "ent", "split": part})
            frames.append(
                {"frame_id": frame_id, "case_id": frame_id, "path": picture.path, "index": 0}
            )
            labels.append({"frame_id": frame_id, "task": "class", "label": picture.label})
            splits.append({"frame_id": frame_id, "protocol": "official", "fold": "0", "part": part})
    if not frames:
        refuse(CARD, root, "pictures in train/Normal and test/Normal")
    return make_contents(
        CARD,
        root,
        cases=cases,
        frames=frames,
        labels=labels,
        splits=splits,
        problems=problems,
    )
