"""Pictures of your own, sorted into one folder a class."""

from pathlib import Path, PurePosixPath
from typing import Final

from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.class_folders import ClassedPicture, without_repeats
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.listing import Names, join
from endoalign.datasets.problems import Problem, missing, odd

PARTS: Final = ("train", "test")

CARD: Final = Card(
    name="own-classes",
    title="Pictures in folders of your own classes",
    page="none: a layout for pictures of your own",
    licence="that of whoever provides the pictures",
    citation="none",
    layout=(
        "CLASS/NAME.jpg                                (one folder a class), or\n"
        "train/CLASS/NAME.jpg and test/CLASS/NAME.jpg  (where a test is set apart)"
    ),
    expected={},
    how_to_get="sort the pictures into folders named as the classes of your YAML file.",
    notes=(
        "Patients are not known: a pattern of file names tells the examination, or groups by look.",
    ),
)


def read(root: Path) -> Contents:
    """Return the pictures and their classes (task ``class``): the names of their folders, as told.

    Each picture is a case of its own. Where ``train`` and ``test`` are both there, they are the
    protocol ``official``. What lies elsewhere, or deeper, is left out and is a problem.
    """
    names = Names(root)
    parts = {part: folder for part in PARTS if (folder := names.find(part)) is not None}
    is_divided = len(parts) == len(PARTS)
    problems: list[Problem] = []
    if is_divided:
        problems += [
            odd(one, "neither train nor test; left out")
            for one in names.entries()
            if one not in parts.values()
        ]
    else:
        parts = {"": ""}
    cases, frames, labels, splits = [], [], [], []
    for part, folder in parts.items():
        found = _pictures(names, folder, problems)
        ids = [f"{CARD.name}/{PurePosixPath(one.path).with_suffix('')}" for one in found]
        pictures, repeats = without_repeats(found, ids)
        problems += repeats
        for frame_id, one in pictures.items():
            cases.append({"case_id": frame_id, "exam_type": "ent", "split": part or "train"})
            frames.append({"frame_id": frame_id, "case_id": frame_id, "path": one.path, "index": 0})
            labels.append({"frame_id": frame_id, "task": "class", "label": one.label})
            if is_divided:
                splits.append(
                    {"frame_id": frame_id, "protocol": "official", "fold": "0", "part": part}
                )
    if not frames:
        refuse(CARD, root, "pictures in a folder a class")
    return make_contents(
        CARD,
        root,
        cases=cases,
        frames=frames,
        labels=labels,
        splits=splits,
        problems=problems,
    )


def _pictures(names: Names, folder: str, problems: list[Problem]) -> list[ClassedPicture]:
    """Pictures of the class folders in ``folder``; what is wrong is added to ``problems``."""
    found: list[ClassedPicture] = []
    for entry in names.entries(folder):
        path = join(folder, entry)
        if not (names.root / path).is_dir():
            problems.append(odd(path, "in no folder of a class; left out"))
            continue
        images = [ClassedPicture(entry, f"{path}/{image}") for image in names.images(path)]
        if not images:
            problems.append(missing(path, "a class folder without a picture"))
        problems += [
            odd(f"{path}/{one}", "a folder in that of a class; left out")
            for one in names.entries(path)
            if (names.root / path / one).is_dir()
        ]
        found += images
    return found
