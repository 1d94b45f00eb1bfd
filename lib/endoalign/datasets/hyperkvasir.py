"""HyperKvasir's labelled images: 23 classes, with the official folds."""

from pathlib import Path, PurePosixPath
from typing import Final

from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.class_folders import (
    ClassedPicture,
    absent_classes,
    classed_pictures,
    without_repeats,
)
from endoalign.datasets.class_names import HYPERKVASIR, HYPERKVASIR_UPPER
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.hyperkvasir_lists import FOLD_FILES, read_folds, read_labels
from endoalign.datasets.listing import Names
from endoalign.datasets.problems import Problem, missing, odd

_UPPER: Final = frozenset(name for classes in HYPERKVASIR_UPPER.values() for name in classes)
_TRACTS: Final = ("lower-gi-tract", "upper-gi-tract")

CARD: Final = Card(
    name="hyperkvasir",
    title="HyperKvasir, labelled images",
    page="https://osf.io/mh9sj",
    licence="CC BY 4.0",
    citation="Borgli et al. 2020, Scientific Data 7:283, doi:10.1038/s41597-020-00622-y",
    layout=(
        "labeled-images/{lower,upper}-gi-tract/GROUP/CLASS/ID.jpg\n"
        "labeled-images/image-labels.csv  (Video file,Organ,Finding,Classification)\n"
        "official_splits/{2,5}_fold_split.csv  (file-name;class-name;split-index)\n"
        "segmented-images/masks/ID.jpg  (of 1,000 polyps, optional)"
    ),
    expected={
        "frames": 10662,
        "labels": 10662,
        "classes": 23,
        "official_2/0/test": 5324,
        "official_2/1/test": 5338,
        "official_5/4/test": 2174,
    },
    how_to_get=(
        "download hyper-kvasir-labeled-images.zip from the page and the folder official_splits "
        "from the repository of the authors (simula/hyper-kvasir), and unpack both into one folder."
    ),
    notes=(
        "Patients are not known: each picture is a case of its own, and the official folds may "
        "hold one patient on both sides.",
        "The 1,000 pictures of Kvasir-SEG are among the polyps under other names.",
    ),
)


def read(root: Path, *, folds: int = 2, fold: int = 0) -> Contents:
    """Return the pictures, their classes (task ``class``, named as in image-labels.csv), the folds.

    Labels and splits hold all that the lists name, pictures that are not on disk included; frames
    are those on disk. Protocols are ``official_2`` and ``official_5``; in fold k the pictures of
    split-index k are the part ``test`` and all others ``train``.

    Args:
        root: the folder with ``labeled-images`` in it, or itself that folder.
        folds: 2 or 5, which protocol gives the split of the cases.
        fold: the fold of it.
    """
    if folds not in FOLD_FILES or not 0 <= fold < folds:
        raise ValueError(f"folds is {folds} and fold {fold}; right is 2 or 5, and 0 to folds - 1")
    names = Names(root)
    base = names.find_first("labeled-images", "hyper-kvasir/labeled-images") or ""
    problems: list[Problem] = []
    pictures = _pictures(names, base, problems)
    labels = read_labels(names, base, pictures, problems)
    parts = read_folds(names, labels, pictures, problems)
    if not (pictures or labels or parts):
        refuse(CARD, root, "labeled-images/lower-gi-tract, image-labels.csv or official_splits")
    of_split = parts.get(folds, {})
    ids = sorted({*pictures, *labels})
    return make_contents(
        CARD,
        root,
        cases=[
            {
                "case_id": _id(i),
                "exam_type": "gastroscopy" if labels[i] in _UPPER else "colonoscopy",
                "split": "test" if i in of_split and of_split[i][1] == fold else "train",
            }
            for i in ids
        ],
        frames=[
            {"frame_id": _id(i), "case_id": _id(i), "path": p.path, "index": 0}
            for i, p in pictures.items()
        ],
        labels=[{"frame_id": _id(i), "task": "class", "label": labels[i]} for i in ids],
        masks=_masks(names, pictures, problems),
        splits=[
            {
                "frame_id": _id(i),
                "protocol": f"official_{count}",
                "fold": k,
                "part": "test" if index == k else "train",
            }
            for count, rows in parts.items()
            for k in range(count)
            for i, (_, index) in rows.items()
        ],
        problems=problems,
        counted={"classes": len(set(labels.values()))},
    )


def _pictures(names: Names, base: str, problems: list[Problem]) -> dict[str, ClassedPicture]:
    found: list[ClassedPicture] = []
    for wanted in _TRACTS:
        where = f"{base}/{wanted}".lstrip("/")
        tract = names.find(where)
        if tract is None:
            problems.append(missing(where, "no such folder of pictures"))
            continue
        for group in names.entries(tract):
            here, wrong = classed_pictures(names, f"{tract}/{group}", HYPERKVASIR)
            found += here
            problems += wrong
    if found:
        problems += absent_classes(found, HYPERKVASIR.names, base)
    pictures, repeats = without_repeats(found, [PurePosixPath(p.path).stem for p in found])
    problems += repeats
    return pictures


def _masks(
    names: Names, pictures: dict[str, ClassedPicture], problems: list[Problem]
) -> list[dict[str, object]]:
    """Return the masks of the segmented polyps, which keep the ids of the labelled pictures."""
    folder = names.find_first("segmented-images/masks", "hyper-kvasir/segmented-images/masks")
    rows: list[dict[str, object]] = []
    for image in names.images(folder) if folder else ():
        frame_id = PurePosixPath(image).stem
        if frame_id in pictures:
            rows.append({"frame_id": _id(frame_id), "mask_path": f"{folder}/{image}"})
        else:
            problems.append(odd(f"{folder}/{image}", "mask of a picture that is not there"))
    return rows


def _id(within: str) -> str:
    """Return the id of a picture that is unique among all data sets."""
    return f"{CARD.name}/{within}"
