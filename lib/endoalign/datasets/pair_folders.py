"""Small polyp test sets that come in several layouts of two folders."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from endoalign.datasets.adapter import refuse
from endoalign.datasets.card import Card
from endoalign.datasets.contents import Contents, make_contents
from endoalign.datasets.listing import Names, stems
from endoalign.datasets.pairs import read_pairs, same_stem
from endoalign.datasets.still_rows import still_rows


@dataclass(frozen=True)
class Release:
    """One layout in which a data set goes about.

    Attributes:
        name: of the release.
        images: folders of its pictures, the first that exists is taken.
        masks: folders of its masks, in the same order.
        expected: counts of this release.
        mask_stems: names that the mask of a picture may have (`pairs.read_pairs`).
        wanted: whether a file is a picture, by its stem.
    """

    name: str
    images: tuple[str, ...]
    masks: tuple[str, ...]
    expected: Mapping[str, int]
    mask_stems: Callable[[str], tuple[str, ...]] = same_stem
    wanted: Callable[[str], bool] | None = None


def read_release(root: Path, card: Card, releases: Sequence[Release]) -> Contents:
    """Return the tables of the first release that ``root`` holds, all frames for testing.

    The card of the contents has the counts of that release. Raises ValueError where there is none.
    """
    names = Names(root)
    found = _first_release(names, releases)
    if found is None:
        refuse(card, root, " or ".join(f"{release.images[0]}/" for release in releases))
    release, images, masks = found
    pairs, problems = read_pairs(
        names, images, masks, mask_stems=release.mask_stems, wanted=release.wanted
    )
    rows = still_rows(pairs, card.name)
    return make_contents(
        replace(card, expected=release.expected),
        root,
        cases=[{"case_id": case_id, "split": "test"} for case_id in rows.case_ids()],
        frames=rows.frames,
        masks=rows.masks,
        labels=rows.labels,
        problems=problems,
    )


def _first_release(names: Names, releases: Sequence[Release]) -> tuple[Release, str, str] | None:
    """Return the first release that is there, with its folders of pictures and masks."""
    for release in releases:
        wanted = release.wanted or bool
        for images, masks in zip(release.images, release.masks, strict=True):
            folder = names.find(images) if images else ""
            if folder is not None and any(map(wanted, stems(names.images(folder)))):
                return release, folder, names.find(masks) or masks
    return None
