"""Vocalfolds: laryngeal frames of two interventions with seven-class label maps."""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.listing import Names, join
from endoalign.datasets.masks import read_grey
from endoalign.datasets.pairs import Pair, read_pairs
from endoalign.datasets.problems import Problem, odd

CLASSES: Final = (
    "void",
    "vocal folds",
    "other tissue",
    "glottal space",
    "pathology",
    "surgical tool",
    "intubation",
)
"""Meaning of the values 0 to 6 of a label map."""

CARD: Final = Card(
    name="vocalfolds",
    title="Vocalfolds",
    page="https://github.com/imesluh/vocalfolds",
    licence="CC BY 4.0",
    citation="Laves et al. 2019, Int J CARS 14:483-492, doi:10.1007/s11548-018-01910-0",
    layout=(
        "img/patient{1,2}/seq{1..8}/NNNN.png\n"
        "annot/patient{1,2}/seq{1..8}/NNNN.png   (values 0 to 6: " + ", ".join(CLASSES) + ")"
    ),
    expected={"frames": 536, "masks": 536, "cases": 8, "patients": 2},
    how_to_get="clone the repository of the page, or download it as an archive and unpack it.",
    notes=(
        "There are two patients: hold out one (protocol patients), not frames of both.",
        "Masks are label maps: read them with vocalfolds.read_label_map.",
    ),
    label_maps=True,
)


def read_label_map(path: Path) -> NDArray[np.uint8]:
    """Return a label map, uint8 (H, W), values 0 to 6 (`CLASSES`).

    Raises ValueError, naming the file, where it cannot be read or holds another value.
    """
    values = read_grey(path)
    if (highest := int(values.max())) >= len(CLASSES):
        raise ValueError(f"{path}: value {highest} is no class; they are 0 to {len(CLASSES) - 1}")
    return values


def read(root: Path) -> Contents:
    """Return frames, label maps, and which classes each frame shows (task ``visible``).

    A case is a sequence. The protocol ``patients`` has a fold for each patient, in which that
    patient is the test and the others are for training.
    """
    names = Names(root)
    frames, masks, labels, splits = [], [], [], []
    problems: list[Problem] = []
    patient_of: dict[str, str] = {}
    for patient in _folders(names, "img"):
        for sequence in _folders(names, join("img", patient)):
            case_id = f"{CARD.name}/{sequence}"
            inside = join(patient, sequence)
            pairs, wrong = read_pairs(names, f"img/{inside}", f"annot/{inside}")
            problems += wrong
            for index, pair in enumerate(pairs):
                frame_id = f"{case_id}/{pair.stem}"
                patient_of[case_id] = f"{CARD.name}/{patient}"
                frames.append(
                    {"frame_id": frame_id, "case_id": case_id, "path": pair.image, "index": index}
                )
                shown, mask, wrong = _shown(root, pair)
                problems += wrong
                masks += [{"frame_id": frame_id, "mask_path": mask}] if mask else []
                labels += [{"frame_id": frame_id, "task": "visible", "label": n} for n in shown]
    if not frames:
        refuse(CARD, root, "img/patient1/seq1/*.png")
    for held_out in dict.fromkeys(patient_of.values()):
        splits += [
            {
                "frame_id": row["frame_id"],
                "protocol": "patients",
                "fold": held_out.rsplit("/", maxsplit=1)[-1],
                "part": "test" if patient_of[str(row["case_id"])] == held_out else "train",
            }
            for row in frames
        ]
    return make_contents(
        CARD,
        root,
        cases=[
            {"case_id": case, "patient_id": patient, "exam_type": "ent"}
            for case, patient in patient_of.items()
        ],
        frames=frames,
        masks=masks,
        labels=labels,
        splits=splits,
        problems=problems,
    )


def _folders(names: Names, folder: str) -> list[str]:
    return [name for name in names.entries(folder) if (names.root / folder / name).is_dir()]


def _shown(root: Path, pair: Pair) -> tuple[list[str], str | None, list[Problem]]:
    """Return the classes in a label map, its path where it can be used, and problems."""
    if pair.mask is None:
        return [], None, []
    try:
        values = np.unique(read_label_map(root / pair.mask))
    except ValueError as error:
        return [], None, [odd(pair.mask, f"{str(error).split(': ', 1)[-1]}; left out")]
    return [CLASSES[value] for value in values if value > 0], pair.mask, []
