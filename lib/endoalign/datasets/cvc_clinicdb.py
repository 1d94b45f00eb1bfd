"""CVC-ClinicDB: 612 stills of 29 colonoscopy sequences."""

from pathlib import Path
from typing import Final

from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.clinicdb_sequences import SEQUENCES, STILLS, place_of, sequence_id
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.listing import Names
from endoalign.datasets.pairs import Pair, first_folder, read_pairs
from endoalign.datasets.problems import Problem, missing, odd
from endoalign.datasets.still_rows import case_rows

CARD: Final = Card(
    name="cvc-clinicdb",
    title="CVC-ClinicDB",
    page="https://polyp.grand-challenge.org/CVCClinicDB/",
    licence="for research and education, with citation; terms on the page",
    citation=(
        "Bernal et al., WM-DOVA maps for accurate polyp highlighting in colonoscopy, Computerized "
        "Medical Imaging and Graphics 43, 2015"
    ),
    layout=(
        "Original/1.tif … 612.tif\n"
        "Ground Truth/1.tif … 612.tif\n"
        "(or both under CVC-ClinicDB/, TIF/ or, as a repack that is not binary, PNG/)"
    ),
    expected={"frames": STILLS, "masks": STILLS, "cases": len(SEQUENCES)},
    how_to_get="ask for it on the page and unpack CVC-ClinicDB.rar",
    notes=(
        "Stills of a sequence are nearly alike: split by sequence (case_id), never by still.",
        "The patients of the sequences are not published; several may be of one patient.",
    ),
)
_PLACES: Final = ("", "CVC-ClinicDB/", "TIF/", "PNG/", "CVC-ClinicDB/TIF/", "CVC-ClinicDB/PNG/")


def read(root: Path) -> Contents:
    """Return the tables of CVC-ClinicDB under ``root``; a case is a sequence.

    Raises ValueError where no still is found.
    """
    pairs, problems = read_stills(root, CARD)
    rows = case_rows(pairs, CARD.name, _place)
    return make_contents(
        CARD,
        root,
        cases=[{"case_id": case_id} for case_id in rows.case_ids()],
        frames=rows.frames,
        masks=rows.masks,
        labels=rows.labels,
        problems=problems,
    )


def read_stills(root: Path, card: Card) -> tuple[list[Pair], list[Problem]]:
    """Return the stills 1 to 612 that are there, in order, and what is wrong.

    ``card`` is named where nothing is found (ValueError): CVC-12k consists of the same stills.
    """
    names = Names(root)
    images = first_folder(names, *(f"{place}Original" for place in _PLACES))
    if images is None or not names.images(images):
        refuse(card, root, "Original/*.tif")
    base = images[: -len("Original")]
    masks = first_folder(names, f"{base}Ground Truth", f"{base}GroundTruth")
    pairs, problems = read_pairs(names, images, masks or f"{base}Ground Truth")
    stills = [pair for pair in pairs if _is_still(pair.stem)]
    problems += [
        odd(pair.image, f"none of the stills 1 to {STILLS}; left out")
        for pair in pairs
        if not _is_still(pair.stem)
    ]
    return stills, problems + _absent(stills, images)


def _absent(stills: list[Pair], images: str) -> list[Problem]:
    """Return one problem for each sequence of which stills are missing."""
    there = {int(pair.stem) for pair in stills}
    problems = []
    for start, length in SEQUENCES.items():
        absent = sorted(set(range(start, start + length)) - there)
        if absent:
            first = f"the first is {absent[0]}"
            what = f"{len(absent)} of the {length} stills from {start} on are not there; {first}"
            problems.append(missing(images, what))
    return problems


def _is_still(stem: str) -> bool:
    return stem.isdecimal() and 1 <= int(stem) <= STILLS


def _place(stem: str) -> tuple[str, int]:
    start, index = place_of(int(stem))
    return sequence_id(start), index
