"""Pictures in one folder a class, the commonest layout of all."""

from collections.abc import Iterable
from dataclasses import dataclass

from endoalign.datasets.class_names import ClassNames
from endoalign.datasets.listing import Names
from endoalign.datasets.problems import Problem, missing, odd


@dataclass(frozen=True)
class ClassedPicture:
    """A picture in the folder of its class; ``path`` is relative to the root as it is on disk."""

    label: str
    path: str


def classed_pictures(
    names: Names, folder: str, classes: ClassNames, *, skip: Iterable[str] = ()
) -> tuple[list[ClassedPicture], list[Problem]]:
    """Return the pictures of all class folders in ``folder``.

    Args:
        names: of the root.
        folder: relative to the root; empty for the root itself.
        classes: canonical names and aliases of its folders.
        skip: names of folders that are known not to be classes, in lower case.

    Returns:
        Pictures in the order of folders and names, and problems: folders of an unknown class, whose
        pictures are left out, and class folders without a picture.
    """
    pictures: list[ClassedPicture] = []
    problems: list[Problem] = []
    for entry in names.entries(folder):
        path = f"{folder}/{entry}" if folder else entry
        if not (names.root / path).is_dir() or entry.strip().casefold() in skip:
            continue
        label, images = classes.find(entry), names.images(path)
        if label is None:
            what = f"{classes.unknown(entry)}; its {len(images)} pictures are left out"
            problems.append(odd(path, what))
        elif not images:
            problems.append(missing(path, "a class folder without a picture"))
        if label is not None:
            pictures += [ClassedPicture(label, f"{path}/{image}") for image in images]
    return pictures, problems


def absent_classes(
    pictures: Iterable[ClassedPicture], classes: Iterable[str], where: str
) -> list[Problem]:
    """Return a problem for each class of which there is no picture; ``where`` is its folder."""
    found = {picture.label for picture in pictures}
    return [
        missing(f"{where}/{name}" if where else name, f"no picture of the class {name!r}")
        for name in classes
        if name not in found
    ]


def without_repeats(
    pictures: Iterable[ClassedPicture], ids: Iterable[str]
) -> tuple[dict[str, ClassedPicture], list[Problem]]:
    """Return the pictures by id; of two with one id the first, and a problem for the other."""
    found: dict[str, ClassedPicture] = {}
    problems = []
    for picture, frame_id in zip(pictures, ids, strict=True):
        if frame_id in found:
            first = found[frame_id].path
            problems.append(odd(picture.path, f"has the id of {first} and is left out"))
        else:
            found[frame_id] = picture
    return found, problems
