"""HyperKvasir's lists: the labels of all pictures, and the official folds."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from endoalign.datasets.class_folders import ClassedPicture
from endoalign.datasets.class_names import HYPERKVASIR
from endoalign.datasets.listed import ListedPictures, listed_rows, unlisted_problems
from endoalign.datasets.listing import Names
from endoalign.datasets.problems import Problem, missing, odd

FOLD_FILES: Final = {2: "2_fold_split.csv", 5: "5_fold_split.csv"}
"""File of the official folds by their number."""
_FOLD_FOLDERS: Final = ("official_splits/", "official/official_splits/", "")

Pictures = Mapping[str, ClassedPicture]


def read_labels(
    names: Names, base: str, pictures: Pictures, problems: list[Problem]
) -> dict[str, str]:
    """Return the class of each picture on disk or in ``image-labels.csv``, by id.

    Where folder and list disagree the folder wins, and it is a problem.
    """
    labels = {frame_id: picture.label for frame_id, picture in pictures.items()}
    where = f"{base}/image-labels.csv".lstrip("/")
    path = names.find_first(where, "image-labels.csv")
    if path is None:
        problems.append(missing(where, "no such list; classes are those of the folders"))
        return labels
    lookup = ListedPictures(pictures, path)
    for line, row in listed_rows(names.root, path, ["Video file", "Finding"], problems):
        label = HYPERKVASIR.find(row["Finding"])
        if label is None:
            problems.append(odd(f"{path}:{line}", HYPERKVASIR.unknown(row["Finding"])))
            continue
        frame_id = lookup.id_of(_stem(row["Video file"]), line)
        _agree(labels, frame_id, label, f"{path}:{line}", problems)
    problems += lookup.problems() if pictures else [_no_pictures(base)]
    problems += unlisted_problems(lookup.unlisted, path, "their classes are those of the folders")
    return labels


def read_folds(
    names: Names, labels: dict[str, str], pictures: Pictures, problems: list[Problem]
) -> dict[int, dict[str, tuple[str, int]]]:
    """Return class and split-index of each picture by id, by the number of folds.

    Classes that differ from ``labels`` are problems.
    """
    folds: dict[int, dict[str, tuple[str, int]]] = {}
    for count, file_name in FOLD_FILES.items():
        path = names.find_first(*(f"{folder}{file_name}" for folder in _FOLD_FOLDERS))
        if path is None:
            where = f"official_splits/{file_name}"
            problems.append(missing(where, f"no such list: the {count} official folds are unknown"))
            continue
        folds[count] = _read_fold_file(names, path, count, labels, problems, pictures)
    return folds


def _read_fold_file(
    names: Names,
    path: str,
    count: int,
    labels: dict[str, str],
    problems: list[Problem],
    pictures: Pictures,
) -> dict[str, tuple[str, int]]:
    lookup = ListedPictures(pictures, path)
    columns = ["file-name", "class-name", "split-index"]
    found: dict[str, tuple[str, int]] = {}
    for line, row in listed_rows(names.root, path, columns, problems):
        label, index = HYPERKVASIR.find(row["class-name"]), row["split-index"]
        if label is None:
            problems.append(odd(f"{path}:{line}", HYPERKVASIR.unknown(row["class-name"])))
        elif not index.isdecimal() or int(index) >= count:
            what = f"split-index {index!r} is not one of 0 to {count - 1}"
            problems.append(odd(f"{path}:{line}", what))
        else:
            frame_id = lookup.id_of(_stem(row["file-name"]), line)
            _agree(labels, frame_id, label, f"{path}:{line}", problems)
            found[frame_id] = label, int(index)
    problems += lookup.problems() if pictures else []
    problems += unlisted_problems(lookup.unlisted, path, "they are in no fold")
    return found


def _agree(
    labels: dict[str, str], frame_id: str, label: str, where: str, problems: list[Problem]
) -> None:
    if labels.setdefault(frame_id, label) != label:
        what = f"{frame_id} is {label} here and {labels[frame_id]} elsewhere, which is taken"
        problems.append(odd(where, what))


def _no_pictures(base: str) -> Problem:
    return missing(base or ".", "none of the listed pictures is there; labels and folds are kept")


def _stem(file_name: str) -> str:
    """Return the id of a picture; ids in the label file have no ending, in the folds ``.jpg``."""
    name = PurePosixPath(file_name)
    return name.stem if name.suffix.lower() in (".jpg", ".jpeg", ".png") else name.name
