"""Labelled pictures as LIMUC: a folder a Mayo grade, a test set, ten patient-level folds."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from endoalign.world.layouts.ids import label_of
from endoalign.world.layouts.pictures import LabelledPicture, write_lines, write_picture

GRADES: Final = ("0", "1", "2", "3")
TEST_SHARE: Final = 0.15
"""86 of the published 564 patients."""
FOLDS: Final = 10
FOLD_FOLDER: Final = "cross_validation_folds_train_val_info"

Listed = list[tuple[str, str, str]]
"""Patient, folder of the grade, and file name of each picture."""


def write(
    pictures: Sequence[LabelledPicture], folder: Path, *, seed: int, folds: int = FOLDS
) -> None:
    """Write pictures as BMP under ``folder``.

    The label ``mayo`` (0 to 3) gives the folder, ``case_id`` the patient. As published, one patient
    of the training set has two pictures of one name under two grades (where any has two grades).

    Args:
        pictures: of two patients or more.
        folder: to write to.
        seed: of the test patients and of the folds.
        folds: how many, each with its own patients for validation.

    Raises:
        ValueError: fewer than two patients, or a picture without a grade.
    """
    rng = np.random.default_rng([seed, 0x11])
    patients = sorted({picture.case_id for picture in pictures})
    if len(patients) < 2:
        raise ValueError(f"LIMUC divides patients: 2 or more are needed, got {len(patients)}")
    order = [patients[k] for k in rng.permutation(len(patients))]
    test = set(order[: max(1, round(TEST_SHARE * len(order)))])
    listed = _names(pictures, {p: k for k, p in enumerate(patients, start=1)}, test)
    for (patient, grade, name), picture in zip(listed, pictures, strict=True):
        part = "test_set" if patient in test else "train_and_validation_sets"
        write_picture(picture.rgb, folder / part / grade / name)
    training = [patient for patient in order if patient not in test]
    for fold in range(folds):
        _write_fold(listed, training, set(training[fold::folds]), folder / FOLD_FOLDER, fold)


def _names(pictures: Sequence[LabelledPicture], number: dict[str, int], test: set[str]) -> Listed:
    """Number the pictures of each patient; one number of one patient is used for two grades."""
    listed: Listed = []
    count: dict[str, int] = {}
    first: dict[str, str] = {}
    repeated = False
    for picture in pictures:
        patient, grade = picture.case_id, label_of(picture, "mayo", GRADES)
        place = count[patient] = count.get(patient, 0) + 1
        other_grade = first.setdefault(patient, grade) != grade
        if other_grade and not repeated and patient not in test:
            place, repeated = 1, True
        name = f"UC_patient_{number[patient]}_{place}.bmp"
        listed.append((patient, f"Mayo {grade}", name))
    return listed


def _write_fold(
    listed: Listed, training: list[str], validation: set[str], folder: Path, fold: int
) -> None:
    for part in ("train", "val"):
        chosen = {p for p in training if (p in validation) == (part == "val")}
        names: dict[str, list[str]] = {f"Mayo {grade}": [] for grade in GRADES}
        for patient, grade, name in listed:
            if patient in chosen:
                names[grade].append(name)
        write_lines([json.dumps(names)], folder / f"fold_{fold}" / f"{part}.json")
