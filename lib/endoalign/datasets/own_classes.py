"""Pictures of your own, sorted into one folder a class."""

from pathlib import Path, PurePosixPath
from typing import Final

from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
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
        for path, label in _pictures(names, folder, problems).items():
            frame_id = f"{CARD.name}/{PurePosixPath(path).with_suffix('').as_posix()}"
            cases.append({"case_id": frame_id, "exam_type": "ent", "split": part or "train"})
            frames.append({"frame_id": frame_id, "case_id": frame_id, "path": path, "index": 0})
            labels.append({"frame_id": frame_id, "task": "class", "label": label})
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


def _pictures(names: Names, folder: str, problems: list[Problem]) -> dict[str, str]:
    """Class of each picture by its path; what is wrong in ``folder`` is added to ``problems``."""
    found: dict[str, str] = {}
    for entry in names.entries(folder):
        path = join(folder, entry)
        if not (names.root / path).is_dir():
            problems.append(odd(path, "in no folder of a class; left out"))
            continue
        images, stems = names.images(path), set()
        for image in images:
            stem = PurePosixPath(image).stem
            if stem in stems:
                problems.append(odd(f"{path}/{image}", "another picture has its name; left out"))
            else:
                found[f"{path}/{image}"] = entry
            stems.add(stem)
        deeper = [one for one in names.entries(path) if (names.root / path / one).is_dir()]
        problems += [
            odd(f"{path}/{one}", "a folder in that of a class; left out") for one in deeper
        ]
        if not images:
            problems.append(missing(path, "a class folder without a picture"))
    return found
