"""GastroVision's lists: the metadata of all pictures, and the published split."""

from pathlib import Path, PurePosixPath
from typing import Final

from endoalign.datasets.class_folders import ClassedPicture
from endoalign.datasets.class_names import GASTROVISION
from endoalign.datasets.listed import ListedPictures, listed_rows, unlisted_problems
from endoalign.datasets.listing import Names
from endoalign.datasets.problems import Problem, missing, odd

METADATA: Final = "GastroVision_metadata.csv"
PARTS: Final = {"train": "train", "validate": "validation", "test": "test"}
"""Part by the name of its list."""
_PLACES: Final = ("", "official/", "GastroVision/", "Gastrovision/")


def key_of(label: str, file_name: str) -> str:
    """Return the key of a picture: file names repeat between classes, so both are in it."""
    return f"{label}/{PurePosixPath(file_name).stem}"


def read_metadata(
    names: Names, pictures: dict[str, ClassedPicture], problems: list[Problem]
) -> dict[str, str]:
    """Return the class by id of all pictures of the metadata."""
    path = names.find_first(*(place + METADATA for place in _PLACES))
    if path is None:
        problems.append(missing(METADATA, "no such list; classes are those of the folders"))
        return {}
    lookup = ListedPictures(pictures, path)
    found: dict[str, str] = {}
    for line, row in listed_rows(names.root, path, ["Filename", "Class"], problems):
        label = GASTROVISION.find(row["Class"])
        if label is None:
            problems.append(odd(f"{path}:{line}", GASTROVISION.unknown(row["Class"])))
            continue
        frame_id = lookup.id_of(key_of(label, row["Filename"]), line)
        found[frame_id] = label
        if frame_id in pictures:
            problems += _size_problem(names.root, pictures[frame_id].path, row.get("Size (kB)", ""))
    problems += lookup.problems()
    problems += unlisted_problems(lookup.unlisted, path, "no such pictures were published")
    return found


def read_split(
    names: Names, pictures: dict[str, ClassedPicture], problems: list[Problem]
) -> dict[str, str]:
    """Return the part by id of all pictures of the published split."""
    parts: dict[str, str] = {}
    for stem, part in PARTS.items():
        path = names.find_first(*(f"{place}Split/{stem}.csv" for place in _PLACES))
        if path is None:
            problems.append(missing(f"Split/{stem}.csv", f"no such list: no part {part}"))
            continue
        lookup = ListedPictures(pictures, path)
        for line, row in listed_rows(names.root, path, ["Filename", "Class"], problems):
            label = GASTROVISION.find(row["Class"])
            if label is None:
                problems.append(odd(f"{path}:{line}", GASTROVISION.unknown(row["Class"])))
                continue
            frame_id = lookup.id_of(key_of(label, row["Filename"]), line)
            if parts.setdefault(frame_id, part) != part:
                what = f"{frame_id} is in the part {parts[frame_id]} too, which is taken"
                problems.append(odd(f"{path}:{line}", what))
        problems += lookup.problems()
    return parts


def _size_problem(root: Path, path: str, published: str) -> list[Problem]:
    """Return what the size of a file says; GastroVision's kB are 1,000 bytes."""
    size = (root / path).stat().st_size
    try:
        right = round(float(published) * 1000)
    except ValueError:
        return []
    return [] if size == right else [odd(path, f"{size} bytes; {right} were published")]
