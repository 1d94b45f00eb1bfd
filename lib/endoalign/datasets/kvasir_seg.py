"""Kvasir-SEG: 1,000 polyp frames with masks and boxes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.listing import Names, stem_key
from endoalign.datasets.masks import size_of
from endoalign.datasets.pairs import Pair, first_folder, read_pairs
from endoalign.datasets.problems import Problem, missing, odd
from endoalign.datasets.still_rows import still_rows
from endoalign.datasets.text_files import read_lines, read_text

CARD: Final = Card(
    name="kvasir-seg",
    title="Kvasir-SEG",
    page="https://datasets.simula.no/kvasir-seg/",
    licence=(
        "for research and education, commercial use by permission alone; published again in "
        "HyperKvasir under CC BY 4.0"
    ),
    citation="Jha et al., Kvasir-SEG: A Segmented Polyp Dataset, MMM 2020",
    layout=(
        "images/ID.jpg\n"
        "masks/ID.jpg                lossy JPEG of three channels\n"
        "kavsir_bboxes.json          (so spelt) {ID: {height, width, bbox: [...]}}\n"
        "train.txt, val.txt          one ID a line; published apart, optional"
    ),
    expected={
        "frames": 1000,
        "masks": 1000,
        "boxes": 1000,
        "official/train": 880,
        "official/validation": 120,
    },
    how_to_get=(
        "download kvasir-seg.zip from the page and unpack it; train.txt and val.txt are in the "
        "GitHub repository DebeshJha/2020-MediaEval-Medico-polyp-segmentation"
    ),
    lossy_masks=True,
    notes=(
        "Patients are not known: any split of the frames may share polyps between its parts.",
        "The frames come from the polyp class of Kvasir and are in HyperKvasir under other names.",
    ),
)
BOXES: Final = "kavsir_bboxes.json"
_LISTS: Final = {"train": "train.txt", "validation": "val.txt"}


def read(root: Path) -> Contents:
    """Return the tables of Kvasir-SEG under ``root``.

    Splits are the protocol ``official`` where the lists are there; frames in neither list count as
    training frames. Labels: ``class`` (``polyp``) and ``boxes`` (how many polyps are boxed).
    Raises ValueError where no picture is found.
    """
    names = Names(root)
    images = first_folder(names, "images", "Kvasir-SEG/images")
    if images is None or not names.images(images):
        refuse(CARD, root, "images/*.jpg")
    base = images.removesuffix("images")
    pairs, problems = read_pairs(names, images, f"{base}masks")
    rows = still_rows(pairs, CARD.name)
    split_of, list_problems = _splits(names, base, pairs)
    boxes, box_problems = _boxes(names, base, pairs)
    counts = [
        {"frame_id": f"{CARD.name}/{stem}", "task": "boxes", "label": str(count)}
        for stem, count in boxes.items()
    ]
    return make_contents(
        CARD,
        root,
        cases=[
            {"case_id": case_id, "split": split_of.get(case_id, "train")}
            for case_id in rows.case_ids()
        ],
        frames=rows.frames,
        masks=rows.masks,
        labels=[*rows.labels, *counts],
        splits=[
            {"frame_id": frame_id, "protocol": "official", "fold": "0", "part": part}
            for frame_id, part in split_of.items()
        ],
        problems=[*problems, *list_problems, *box_problems],
        counted={"boxes": len(boxes)},
    )


def _splits(names: Names, base: str, pairs: list[Pair]) -> tuple[dict[str, str], list[Problem]]:
    """Return the part of each frame that a list names, and what is wrong with the lists."""
    by_key = {stem_key(pair.image): pair.stem for pair in pairs}
    part_of: dict[str, str] = {}
    problems: list[Problem] = []
    for part, name in _LISTS.items():
        path = names.find_first(f"{base}{name}", name)
        if path is None:
            problems.append(missing(f"{base}{name}", f"the list of {part} frames"))
            continue
        for number, line in read_lines(names.root / path):
            stem = by_key.get(stem_key(line if "." in line else f"{line}.jpg"))
            if stem is None:
                what = f"names {line!r}, which is not in {base}images/"
                problems.append(missing(f"{path}:{number}", what))
            elif f"{CARD.name}/{stem}" in part_of:
                problems.append(odd(f"{path}:{number}", f"{line!r} is listed before; left out"))
            else:
                part_of[f"{CARD.name}/{stem}"] = part
    if part_of and (left := len(pairs) - len(part_of)):
        problems.append(odd(f"{base}images", f"{left} frames are in none of the lists"))
    return part_of, problems


def _boxes(names: Names, base: str, pairs: list[Pair]) -> tuple[dict[str, int], list[Problem]]:
    """Return the number of boxes of each frame, and what is wrong with the file of boxes."""
    path = names.find_first(f"{base}{BOXES}", f"{base}kvasir_bboxes.json")
    if path is None:
        return {}, [missing(f"{base}{BOXES}", "the file of bounding boxes")]
    try:
        entries = json.loads(read_text(names.root / path))
    except ValueError as error:
        return {}, [odd(path, f"no readable JSON ({error})")]
    if not isinstance(entries, dict):
        return {}, [odd(path, "not an object of boxes by frame")]
    image_of = {pair.stem: pair.image for pair in pairs}
    found: dict[str, int] = {}
    problems: list[Problem] = []
    for stem, entry in entries.items():
        wrong = _wrong_entry(names.root, image_of.get(stem), entry)
        if wrong:
            problems.append(odd(path, f"entry {stem!r} {wrong}; left out"))
        else:
            found[stem] = len(entry["bbox"])
    return found, problems


def _wrong_entry(root: Path, image: str | None, entry: Mapping[str, Any]) -> str:
    """Return what is wrong with the boxes of a frame, nothing where all is right."""
    if image is None:
        return "names no frame that is there"
    if not isinstance(entry, dict) or not isinstance(entry.get("bbox"), list):
        return "has no list bbox"
    height, width = size_of(root / image)
    if (entry.get("height"), entry.get("width")) != (height, width):
        return f"is of {entry.get('width')} x {entry.get('height')} pixels, not {width} x {height}"
    return ""
