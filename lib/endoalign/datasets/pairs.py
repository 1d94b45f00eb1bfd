"""Pictures and their masks in two folders (or one), paired by name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from endoalign.datasets.listing import Names, join, stem_key
from endoalign.datasets.masks import pair_problem
from endoalign.datasets.problems import Problem, missing, odd

MaskStems = Callable[[str], tuple[str, ...]]


@dataclass(frozen=True)
class Pair:
    """A picture and its mask, paths relative to the root; no mask where none can be used."""

    stem: str
    image: str
    mask: str | None


def same_stem(stem: str) -> tuple[str, ...]:
    """Return the mask's name as the picture's."""
    return (stem,)


def read_pairs(
    names: Names,
    images: str,
    masks: str,
    *,
    mask_stems: MaskStems = same_stem,
    wanted: Callable[[str], bool] | None = None,
) -> tuple[list[Pair], list[Problem]]:
    """Return the pictures of a folder, naturally sorted, with their masks.

    Args:
        names: of the data set.
        images: folder of the pictures, relative to the root.
        masks: folder of the masks.
        mask_stems: the names that the mask of a picture may have, without ending, in the order in
            which they are tried.
        wanted: whether a file of ``images`` is a picture, by its stem (all are, where `None`).

    Returns:
        Pairs and problems. A picture stays, without its mask, where the mask is missing or of
        another size; a picture that cannot be read, a second one of the same name and a mask
        without picture are left out.
    """
    by_stem, problems = _first_of_each(names.images(masks), masks)
    pictures = names.images(images)
    if wanted is not None:
        pictures = [name for name in pictures if wanted(PurePosixPath(name).stem)]
    first, repeated = _first_of_each(pictures, images)
    problems += repeated
    found: list[Pair] = []
    used: set[str] = set()
    for name in first.values():
        stem = PurePosixPath(name).stem
        mask = _mask_of(stem, mask_stems, by_stem)
        if mask is None:
            expected = join(masks, f"{mask_stems(stem)[0]}{PurePosixPath(name).suffix}")
            what = f"picture without mask; it should be {expected}"
            problems.append(missing(join(images, name), what))
        else:
            used.add(mask)
            problems += _case_problem(stem, mask_stems, mask, masks)
        found += _usable(names.root, stem, join(images, name), mask and join(masks, mask), problems)
    if images != masks:
        problems += _without_picture(by_stem, used, masks, images)
    return found, problems


def _usable(
    root: Path, stem: str, image: str, mask: str | None, problems: list[Problem]
) -> list[Pair]:
    """Return the pair, without its mask where that does not fit, or nothing of a broken picture."""
    problem = pair_problem(root, image, mask or image)
    if problem is None:
        return [Pair(stem, image, mask)]
    problems.append(problem)
    return [] if problem.path == image else [Pair(stem, image, None)]


def _first_of_each(files: Sequence[str], folder: str) -> tuple[dict[str, str], list[Problem]]:
    """Return the first file of each stem, by the stem's key, and a problem for each other one."""
    by_stem: dict[str, str] = {}
    problems = []
    for name in files:
        first = by_stem.setdefault(stem_key(name), name)
        if first != name:
            problems.append(odd(join(folder, name), f"same name as {first}; left out"))
    return by_stem, problems


def _mask_of(stem: str, mask_stems: MaskStems, by_stem: dict[str, str]) -> str | None:
    candidates = (by_stem.get(stem_key(f"{name}.x")) for name in mask_stems(stem))
    return next((mask for mask in candidates if mask is not None), None)


def _case_problem(stem: str, mask_stems: MaskStems, mask: str, masks: str) -> list[Problem]:
    found = PurePosixPath(mask).stem
    if found in mask_stems(stem):
        return []
    right = next(name for name in mask_stems(stem) if stem_key(f"{name}.x") == stem_key(mask))
    return [odd(join(masks, mask), f"differs from its picture in case; {right} would be right")]


def _without_picture(
    by_stem: dict[str, str], used: set[str], masks: str, images: str
) -> list[Problem]:
    return [
        missing(join(masks, name), f"mask without picture in {images}/; left out")
        for name in by_stem.values()
        if name not in used
    ]


def first_folder(names: Names, *candidates: str) -> str | None:
    """Return the first of several folders that exists and holds anything, as it is on disk."""
    for candidate in candidates:
        found = names.find(candidate)
        if found is not None and Path(names.root, found).is_dir() and names.entries(found):
            return found
    return None
