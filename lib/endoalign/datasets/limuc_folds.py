"""LIMUC's folds: one JSON list a fold and part, ``{"Mayo 0": [file names], …}``."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from endoalign.datasets.class_names import MAYO
from endoalign.datasets.listed import ListedPictures, unlisted_problems
from endoalign.datasets.listing import Names
from endoalign.datasets.problems import Problem, missing, odd
from endoalign.datasets.text_files import read_text

FOLDER: Final = "cross_validation_folds_train_val_info"
PARTS: Final = {"train": "train", "val": "validation"}


@dataclass
class Folds:
    """What the lists say: ``part`` of each frame by fold; frames need not be on disk."""

    parts: dict[str, dict[str, str]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def frame_id(grade: str, file_name: str) -> str:
    """Return the id of a picture: eight file names stand under two grades, so both are in it."""
    return f"{grade}/{PurePosixPath(file_name).stem}"


def patient_of(identifier: str) -> str:
    """Return the patient of a frame: its file name without the number of the picture."""
    stem = PurePosixPath(identifier).name
    return stem.rpartition("_")[0] or stem


def read_folds(names: Names, on_disk: Iterable[str]) -> Folds:
    """Return the folds; absent pictures are told only where there are any pictures at all.

    Args:
        names: of the root.
        on_disk: ids of the pictures of the training and validation sets.
    """
    folds, pictures = Folds(), set(on_disk)
    folder = names.find(FOLDER)
    if folder is None:
        folds.problems.append(missing(FOLDER, "no such folder: there are no folds without it"))
        return folds
    for entry in names.entries(folder):
        if re.fullmatch(r"fold_\d+", entry.casefold()):
            _read_fold(names, f"{folder}/{entry}", pictures, folds)
    return folds


def _read_fold(names: Names, folder: str, pictures: set[str], folds: Folds) -> None:
    parts: dict[str, str] = {}
    for stem, part in PARTS.items():
        path = names.find(f"{folder}/{stem}.json")
        if path is None:
            problem = missing(f"{folder}/{stem}.json", "no such list: the fold is not whole")
            folds.problems.append(problem)
            continue
        lookup = ListedPictures(pictures, path)
        for identifier in _listed(names, path, folds.problems):
            found = lookup.id_of(identifier)
            if parts.setdefault(found, part) != part:
                folds.problems.append(odd(path, f"{found} is in both parts of the fold"))
        folds.problems += lookup.problems() if pictures else []
    folds.parts[PurePosixPath(folder).name.casefold().removeprefix("fold_")] = parts
    unlisted = sorted(pictures - set(parts))
    folds.problems += unlisted_problems(unlisted, folder, "they are in no part of the fold")
    folds.problems += _shared_patients(parts, folder)


def _listed(names: Names, path: str, problems: list[Problem]) -> Iterator[str]:
    """Yield the ids of all pictures of a list."""
    right = 'an object of lists of file names, {"Mayo 0": [...], ...}'
    try:
        content = json.loads(read_text(names.root / path))
    except ValueError as error:
        problems.append(odd(path, f"no readable JSON ({error}); right is {right}"))
        return
    if not isinstance(content, dict):
        problems.append(odd(path, f"not {right}"))
        return
    for name, of_grade in content.items():
        grade = MAYO.find(name)
        if grade is None:
            problems.append(odd(path, MAYO.unknown(name)))
        elif not isinstance(of_grade, list) or not all(isinstance(n, str) for n in of_grade):
            problems.append(odd(path, f"{name!r} holds no list of file names"))
        else:
            yield from (frame_id(grade, file_name) for file_name in of_grade)


def _shared_patients(parts: dict[str, str], folder: str) -> list[Problem]:
    patients: dict[str, set[str]] = {part: set() for part in PARTS.values()}
    for identifier, part in parts.items():
        patients[part].add(patient_of(identifier))
    shared = sorted(set.intersection(*patients.values()))
    if not shared:
        return []
    what = f"{len(shared)} patients are in both parts, such as {shared[0]}; a fold divides patients"
    return [odd(folder, what)]
