"""From an adapter's tables to one table of ENT pictures, measured, grouped and divided."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal

import pandas as pd

from endoalign.corpus.ent_groups import EXAMINATION, MAX_DISTANCE, picture_groups
from endoalign.corpus.ent_split import grouped_split
from endoalign.corpus.files import write_parquet
from endoalign.corpus.manifest import Manifest, stored_root
from endoalign.datasets.contents import Contents
from endoalign.frames.hashing import sha256_of
from endoalign.frames.scan import Progress, scan

Protocol = Literal["grouped", "official", "disjoint"]
FILE: Final = "pictures.parquet"
TRAIN, VALIDATION, TEST = "train", "validation", "test"
_MEASURED = ["width", "height", "sha256", "phash"]
_BOX = ["box_left", "box_top", "box_right", "box_bottom"]


def measured_pictures(
    contents: Contents,
    work: Path,
    *,
    pattern: str = EXAMINATION,
    max_distance: int = MAX_DISTANCE,
    processes: int = 1,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Labelled pictures of a data set, one row each.

    Args:
        contents: of an adapter whose labels have a task ``class``, as those of pictures do.
        work: folder where measures are kept, so that they are taken once.
        pattern: tells the examination in a file's name, see `picture_groups`.
        max_distance: bits in which pictures of one group may differ where no name tells it.

    Returns:
        ``picture_id`` and ``frame_id`` (the same), ``path`` (relative to the data set's root),
        ``class``, ``description`` (English; empty where there is none), ``group``, ``part`` (of
        the published division; empty where there is none), width, height, ``sha256``, ``phash``
        and the four edges of the content box.

    Raises:
        ValueError: no picture has a class, or none of them can be read.
    """
    labels = contents.labels[contents.labels["task"] == "class"]
    if labels.empty:
        raise ValueError(f"{contents.root}: no picture of {contents.card.name} has a class")
    if contents.problems:
        fault = contents.problems[0]
        print(
            f"{contents.root}: faults {len(contents.problems)}, the first of {fault.path}: "
            f"{fault.what} (all: python -m endoalign.datasets check {contents.card.name} "
            f"{contents.root})"
        )
    texts = contents.texts[contents.texts["language"] == "en"].drop_duplicates("key")
    parts = contents.splits[contents.splits["protocol"] == "official"]
    table = contents.frames.merge(labels.rename(columns={"label": "class"})[["frame_id", "class"]])
    for name, known in (
        ("description", dict(zip(texts["key"], texts["text"], strict=True))),
        ("part", dict(zip(parts["frame_id"], parts["part"], strict=True))),
    ):
        table[name] = [str(known.get(frame_id, "")) for frame_id in table["frame_id"]]
    files = [(contents.root / path).resolve() for path in table["path"]]
    found = scan(files, work, processes=processes, progress=progress).table.to_pandas()
    found = found.set_index("file").reindex([str(file) for file in files]).reset_index(drop=True)
    readable = found["reason"].isna() & found["sha256"].notna()
    if not readable.any():
        raise ValueError(f"{contents.root}: none of {len(files)} pictures can be read")
    if not readable.all():
        first = int((~readable).to_numpy().argmax())
        print(
            f"{(~readable).sum()} of {len(files)} pictures cannot be read and are left out; the "
            f"first: {files[first]} ({found['reason'].iloc[first]})"
        )
    table = pd.concat([table.reset_index(drop=True), found[_MEASURED + _BOX]], axis=1)[readable]
    table = table.astype(dict.fromkeys(["width", "height", *_BOX], "int64")).reset_index(drop=True)
    table["group"] = picture_groups(
        table["path"].tolist(), table["phash"].tolist(), pattern=pattern, max_distance=max_distance
    )
    table["picture_id"] = table["frame_id"]
    return pd.DataFrame(table)


def write_pictures(pictures: pd.DataFrame, folder: Path, root: Path) -> None:
    """Write the table into ``folder``, with a manifest that says where its files lie (``root``).

    `corpus.pixels.open_pixels` and the sheets of frames then read it as they read a corpus.
    """
    write_parquet(pictures, folder / FILE)
    digest = hashlib.sha256("\n".join(pictures["sha256"]).encode()).hexdigest()
    counts = {"frames": len(pictures)}
    found = Manifest(roots={"pictures": stored_root(root, folder)}, settings=digest, counts=counts)
    found.write(folder)


def with_held_out(pictures: pd.DataFrame, files: Iterable[Path]) -> pd.DataFrame:
    """Pictures with ``part`` ``test`` where the same file is among ``files``, else ``train``.

    ENTRep's releases share pictures under other names: the test of one must not train a model
    through the other.
    """
    held = {sha256_of(file) for file in files}
    return pictures.assign(part=pictures["sha256"].isin(held).map({True: TEST, False: TRAIN}))


def divided(
    pictures: pd.DataFrame,
    protocol: Protocol,
    *,
    validation_share: float,
    test_share: float = 0.2,
    seed: int,
) -> pd.DataFrame:
    """Pictures with their ``split``, as `training.ent_data.EntPictures` takes them.

    ``official`` keeps the published test, however much of it stands in training too; ``disjoint``
    takes out of training every picture whose group has a picture in the test; ``grouped`` divides
    anew. What is no test is divided into training and validation by group.

    Returns:
        The rows of the protocol; for ``official`` a group's name begins with its part, as one group
        may stand on both sides.

    Raises:
        ValueError: ``official`` or ``disjoint`` for pictures without a published test.
    """
    if protocol == "grouped":
        shares = {TRAIN: 1 - validation_share - test_share, VALIDATION: validation_share}
        shares[TEST] = test_share
        groups = pictures["group"].tolist()
        return pictures.assign(
            split=grouped_split(pictures["class"].tolist(), groups, shares=shares, seed=seed)
        )
    test = pictures["part"] == TEST
    if not test.any():
        raise ValueError(f"protocol {protocol}: no picture is of a published test; take grouped")
    rest = pictures[~test]
    if protocol == "disjoint":
        rest = rest[~rest["group"].isin(pictures.loc[test, "group"])]
    shares = {TRAIN: 1 - validation_share, VALIDATION: validation_share}
    splits = grouped_split(rest["class"].tolist(), rest["group"].tolist(), shares=shares, seed=seed)
    whole = pd.concat([rest.assign(split=splits), pictures[test].assign(split=TEST)])
    if protocol == "official":
        side = (whole["split"] == TEST).map({True: TEST, False: TRAIN})
        whole["group"] = side + "/" + whole["group"]
    return whole.sort_index().reset_index(drop=True)


def leaked(pictures: pd.DataFrame) -> tuple[int, int]:
    """Pictures of the published test that training has too: byte by byte, and by look (group)."""
    test, train = (pictures[(pictures["part"] == TEST) == side] for side in (True, False))
    same_file = int(test["sha256"].isin(train["sha256"]).sum())
    return same_file, int(test["group"].isin(train["group"]).sum())
