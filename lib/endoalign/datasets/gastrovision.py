"""GastroVision: 27 classes of the upper and lower tract, with the published split."""

from pathlib import Path
from typing import Final

from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.class_folders import (
    ClassedPicture,
    absent_classes,
    classed_pictures,
    without_repeats,
)
from endoalign.datasets.class_names import GASTROVISION, GASTROVISION_UPPER
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.gastrovision_lists import METADATA, key_of, read_metadata, read_split
from endoalign.datasets.listing import Names
from endoalign.datasets.problems import Problem

_NO_CLASSES: Final = frozenset({"official", "split", "source"})

CARD: Final = Card(
    name="gastrovision",
    title="GastroVision",
    page="https://osf.io/84e7f/",
    licence="CC BY 4.0",
    citation="Jha et al. 2023, ML4MHD at ICML (GastroVision)",
    layout=(
        "CLASS/NAME.jpg  (27 folders)\n"
        "GastroVision_metadata.csv  (Filename,Class,Width,Height,Size (kB))\n"
        "Split/{train,validate,test}.csv  (Filename,Class)"
    ),
    expected={
        "frames": 8000,
        "labels": 8000,
        "classes": 27,
        "official/train": 4757,
        "official/validation": 1587,
        "official/test": 1586,
    },
    how_to_get=(
        "download the pictures from the page, and GastroVision_metadata.csv and the folder Split "
        "from the authors' repository (DebeshJha/GastroVision), into one folder."
    ),
    notes=(
        "27 file names stand in more than one class; the id of a frame therefore holds its class.",
        "The published split leaves out 70 pictures of five small classes: they are in no part, "
        "and their cases are in the split train.",
        "Patients are not known: each picture is a case of its own.",
    ),
)


def read(root: Path) -> Contents:
    """Return the pictures, their classes (task ``class``) and the published split (``official``).

    Labels and splits hold all that the lists name, pictures that are not on disk included; frames
    are those on disk. A picture whose size in bytes is not that of the metadata is a problem: it
    was damaged on its way, or is another one.
    """
    names = Names(root)
    problems: list[Problem] = []
    pictures = _pictures(names, problems)
    labels = {frame_id: picture.label for frame_id, picture in pictures.items()}
    labels |= read_metadata(names, pictures, problems)
    parts = read_split(names, pictures, problems)
    labels |= {frame_id: _class_of(frame_id) for frame_id in parts}
    if not labels:
        refuse(CARD, root, f"folders such as 'Colon polyps', {METADATA} or Split/train.csv")
    ids = sorted(labels)
    return make_contents(
        CARD,
        root,
        cases=[
            {
                "case_id": _id(i),
                "exam_type": "gastroscopy" if labels[i] in GASTROVISION_UPPER else "colonoscopy",
                "split": parts.get(i, "train"),
            }
            for i in ids
        ],
        frames=[
            {"frame_id": _id(i), "case_id": _id(i), "path": p.path, "index": 0}
            for i, p in pictures.items()
        ],
        labels=[{"frame_id": _id(i), "task": "class", "label": labels[i]} for i in ids],
        splits=[
            {"frame_id": _id(i), "protocol": "official", "fold": "0", "part": part}
            for i, part in parts.items()
        ],
        problems=problems,
        counted={"classes": len(set(labels.values()))},
    )


def _pictures(names: Names, problems: list[Problem]) -> dict[str, ClassedPicture]:
    base = names.find("GastroVision") or ""
    found, wrong = classed_pictures(names, base, GASTROVISION, skip=_NO_CLASSES)
    pictures, repeats = without_repeats(found, [key_of(p.label, p.path) for p in found])
    problems += [*wrong, *repeats]
    problems += absent_classes(found, GASTROVISION.names, base) if found else []
    return pictures


def _id(key: str) -> str:
    """Return the id of a picture that is unique among all data sets."""
    return f"{CARD.name}/{key}"


def _class_of(frame_id: str) -> str:
    return frame_id.rpartition("/")[0]
