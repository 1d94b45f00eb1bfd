"""The training and test sets of polyp segmentation as PraNet and Polyp-PVT published them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.clinicdb_sequences import STILLS, place_of, sequence_id
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.listing import Names
from endoalign.datasets.pairs import first_folder, read_pairs
from endoalign.datasets.problems import Problem, missing
from endoalign.datasets.still_rows import StillRows, case_rows

TRAIN: Final = {"Kvasir": 900, "CVC-ClinicDB": 550}
"""Pictures of the training set by their source, which the names tell."""
TESTS: Final = {
    "Kvasir": 100,
    "CVC-ClinicDB": 62,
    "CVC-300": 60,
    "CVC-ColonDB": 380,
    "ETIS-LaribPolypDB": 196,
}
"""Pictures of each test set."""

CARD: Final = Card(
    name="polyp-pvt",
    title="Polyp segmentation in the setting of PraNet and Polyp-PVT",
    page="https://github.com/DengPingFan/Polyp-PVT",
    licence="of each source: Kvasir-SEG, CVC-ClinicDB, CVC-300, CVC-ColonDB, ETIS-LaribPolypDB",
    citation=(
        "Dong et al., Polyp-PVT: Polyp Segmentation with Pyramid Vision Transformers, CAAI "
        "Artificial Intelligence Research, 2023; Fan et al., PraNet, MICCAI 2020"
    ),
    layout=(
        "TrainDataset/image/*.png, TrainDataset/mask/*.png   (older: images, masks)\n"
        "TestDataset/SET/images/*.png, TestDataset/SET/masks/*.png, for SET each of\n"
        f"{', '.join(TESTS)}"
    ),
    expected={
        "frames": sum(TRAIN.values()) + sum(TESTS.values()),
        "masks": sum(TRAIN.values()) + sum(TESTS.values()),
        **{f"published/{name}/train": count for name, count in TRAIN.items()},
        **{f"published/{name}/test": count for name, count in TESTS.items()},
    },
    how_to_get="TrainDataset.zip and TestDataset.zip, linked on the page",
    notes=(
        "Kvasir and CVC-ClinicDB were split by picture at random, so that the same polyps are in "
        "training and in test; only CVC-300, CVC-ColonDB and ETIS-LaribPolypDB are unseen.",
        "CVC-300 and CVC-ColonDB share sequences.",
    ),
    lossy_masks=True,
)


@dataclass(frozen=True)
class _Folder:
    """One folder of pictures: ``train``, or the test set ``fold``."""

    fold: str
    part: str
    rows: StillRows


def read(root: Path) -> Contents:
    """Return the tables of the setting under ``root``; the folders are the split.

    The protocol is ``published``, its folds the sources and test sets by name. A case is a
    picture, or a sequence where the numbers of CVC-ClinicDB tell it; a sequence in training and
    in test is two cases of one ``patient_id``. Raises ValueError where there is neither a training
    nor a test set.
    """
    names = Names(root)
    problems: list[Problem] = []
    found = [_read_folder(names, "", problems)]
    found += [_read_folder(names, test, problems) for test in TESTS]
    folders = [folder for folder in found if folder is not None]
    if not folders:
        refuse(CARD, root, "TrainDataset/image/*.png or TestDataset/*/images/*.png")
    return make_contents(
        CARD,
        root,
        cases=[row for folder in folders for row in _cases(folder)],
        frames=[row for folder in folders for row in folder.rows.frames],
        masks=[row for folder in folders for row in folder.rows.masks],
        labels=[row for folder in folders for row in folder.rows.labels],
        splits=[row for folder in folders for row in _splits(folder)],
        problems=problems,
    )


def _read_folder(names: Names, test: str, problems: list[Problem]) -> _Folder | None:
    """Return a test set, or the training set where ``test`` is empty; `None` where it is absent."""
    base = f"TestDataset/{test}" if test else "TrainDataset"
    images = first_folder(names, f"{base}/image", f"{base}/images")
    if images is None or not names.images(images):
        problems.append(missing(base, f"no pictures in {base}/images"))
        return None
    masks = names.find_first(f"{base}/mask", f"{base}/masks") or f"{base}/masks"
    pairs, wrong = read_pairs(names, images, masks)
    problems += wrong
    part = "test" if test else "train"
    name = f"{CARD.name}/{part}/{test}" if test else f"{CARD.name}/{part}"
    clinicdb = test in ("", "CVC-ClinicDB")
    return _Folder(test, part, case_rows(pairs, name, lambda stem: _place(stem, name, clinicdb)))


def _place(stem: str, name: str, clinicdb: bool) -> tuple[str, int]:
    if not (clinicdb and _is_still(stem)):
        return f"{name}/{stem}", 0
    start, index = place_of(int(stem))
    return f"{name}/sequence-{start:03d}", index


def _is_still(stem: str) -> bool:
    return stem.isdecimal() and 1 <= int(stem) <= STILLS


def _cases(folder: _Folder) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for case_id in folder.rows.case_ids():
        row: dict[str, object] = {"case_id": case_id, "split": folder.part}
        _, is_sequence, start = case_id.rpartition("/sequence-")
        if is_sequence:
            row["patient_id"] = sequence_id(int(start))
        rows.append(row)
    return rows


def _splits(folder: _Folder) -> list[dict[str, object]]:
    return [
        {
            "frame_id": row["frame_id"],
            "protocol": "published",
            "fold": folder.fold or _source(str(row["case_id"])),
            "part": folder.part,
        }
        for row in folder.rows.frames
    ]


def _source(case_id: str) -> str:
    """Return the source of a training picture: numbers are CVC-ClinicDB's, names Kvasir-SEG's."""
    return "CVC-ClinicDB" if "/sequence-" in case_id else "Kvasir"
