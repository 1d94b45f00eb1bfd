"""LIMUC: colitis graded by the Mayo endoscopic score, with ten patient-level folds."""

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
from endoalign.datasets.class_names import MAYO
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.limuc_folds import FOLDER, Folds, frame_id, patient_of, read_folds
from endoalign.datasets.listing import Names, natural_key
from endoalign.datasets.problems import Problem, missing, odd

TRAIN_FOLDER: Final = "train_and_validation_sets"
TEST_FOLDER: Final = "test_set"

CARD: Final = Card(
    name="limuc",
    title="LIMUC",
    page="https://doi.org/10.5281/zenodo.5827695",
    licence="CC BY 4.0",
    citation="Polat et al. 2022, Inflammatory Bowel Diseases, doi:10.1093/ibd/izac226",
    layout=(
        "train_and_validation_sets/Mayo {0..3}/UC_patient_P_N.bmp\n"
        "test_set/Mayo {0..3}/UC_patient_P_N.bmp\n"
        "cross_validation_folds_train_val_info/fold_{0..9}/{train,val}.json"
    ),
    expected={
        "frames": 11276,
        "patients": 564,
        "mayo=0": 6105,
        "mayo=1": 3052,
        "mayo=2": 1254,
        "mayo=3": 865,
        "train_and_validation": 9590,
        "test": 1686,
        "folds": 10,
    },
    how_to_get=(
        "download train_and_validation_sets.zip and test_set.zip from the page and the folder "
        "cross_validation_folds_train_val_info from the repository of the authors' code, and "
        "unpack all three into one folder."
    ),
    notes=(
        "Pictures of one patient are alike: divide patients, never pictures.",
        "Eight file names stand under two grades; the id of a frame therefore holds its grade.",
    ),
)

Pictures = dict[str, ClassedPicture]


def read(root: Path, *, fold: int = 0) -> Contents:
    """Return the pictures, their grades (task ``mayo``, 0 to 3) and the folds.

    A case is a patient. Labels and splits hold all that the folds name, pictures that are not on
    disk included; frames are those on disk. The protocol is ``official``, with the folds ``0`` to
    ``9`` and in each the parts ``train``, ``validation`` and ``test`` (the same one in all).

    Args:
        root: the folder with the published folders in it.
        fold: whose validation part is the split ``validation`` of the cases.
    """
    names = Names(root)
    problems: list[Problem] = []
    training = _pictures(names, TRAIN_FOLDER, problems)
    test = _pictures(names, TEST_FOLDER, problems)
    folds = read_folds(names, training)
    if not (training or test or folds.parts):
        refuse(CARD, root, f"{TRAIN_FOLDER}/Mayo 0, {TEST_FOLDER}/Mayo 0 or {FOLDER}/fold_0")
    if folds.parts and str(fold) not in folds.parts:
        problems.append(missing(f"{FOLDER}/fold_{fold}", "no such fold: no case is for validation"))
    listed = {identifier for parts in folds.parts.values() for identifier in parts}
    in_training = sorted(listed | set(training), key=natural_key)
    problems += [*folds.problems, *_leaks(in_training, test)]
    return make_contents(
        CARD,
        root,
        cases=_cases(in_training, test, folds.parts.get(str(fold), {})),
        frames=_frames(training | test),
        labels=[
            {"frame_id": _id(i), "task": "mayo", "label": i.split("/")[0].removeprefix("Mayo ")}
            for i in [*in_training, *test]
        ],
        splits=_splits(folds, test),
        problems=problems,
        counted={"folds": len(folds.parts), "train_and_validation": len(in_training)},
    )


def _pictures(names: Names, wanted: str, problems: list[Problem]) -> Pictures:
    folder = names.find(wanted)
    if folder is None:
        problems.append(missing(wanted, "no such folder; it should hold Mayo 0 to Mayo 3"))
        return {}
    found, wrong = classed_pictures(names, folder, MAYO)
    pictures, repeats = without_repeats(found, [frame_id(p.label, p.path) for p in found])
    problems += [*wrong, *repeats, *absent_classes(found, MAYO.names, folder)]
    return pictures


def _cases(
    in_training: list[str], test: Pictures, parts: dict[str, str]
) -> list[dict[str, object]]:
    split = {patient_of(i): "test" for i in test}
    split |= {patient_of(i): parts.get(i, "train") for i in in_training}
    return [{"case_id": _id(p), "split": split[p]} for p in sorted(split, key=natural_key)]


def _frames(pictures: Pictures) -> list[dict[str, object]]:
    """Return the frames, those of a patient in the order of their numbers."""
    rows: list[dict[str, object]] = []
    count: dict[str, int] = {}
    for identifier in sorted(pictures, key=lambda i: natural_key(i.split("/")[1])):
        patient = patient_of(identifier)
        index = count[patient] = count.get(patient, -1) + 1
        path = pictures[identifier].path
        rows.append(
            {"frame_id": _id(identifier), "case_id": _id(patient), "path": path, "index": index}
        )
    return rows


def _splits(folds: Folds, test: Pictures) -> list[dict[str, object]]:
    rows = [(i, fold, part) for fold, parts in folds.parts.items() for i, part in parts.items()]
    rows += [(i, fold, "test") for fold in folds.parts or ("0",) for i in test]
    return [{"frame_id": _id(i), "protocol": "official", "fold": f, "part": p} for i, f, p in rows]


def _id(within: str) -> str:
    """Return the id of a frame or patient that is unique among all data sets."""
    return f"{CARD.name}/{within}"


def _leaks(in_training: list[str], test: Pictures) -> list[Problem]:
    shared = sorted({patient_of(i) for i in in_training} & {patient_of(i) for i in test})
    if not shared:
        return []
    what = f"{len(shared)} patients are in {TRAIN_FOLDER} too, such as {shared[0]}"
    return [odd(TEST_FOLDER, f"{what}; a test set holds other patients")]
