"""Splits that keep groups of pictures whole and classes in proportion."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

SHARES: Final = {"train": 0.7, "validation": 0.1, "test": 0.2}


def grouped_split(
    labels: Sequence[str],
    groups: Sequence[str],
    *,
    shares: Mapping[str, float] = SHARES,
    seed: int,
) -> list[str]:
    """The split of each picture: groups stay whole, classes keep their shares as well as they can.

    Groups are taken by size, large ones first and equal ones in random order; each goes where, over
    the classes of its pictures, most is missing relative to what the split is to hold.

    Args:
        labels: class of each picture.
        groups: group of each picture.
        shares: split -> share of the pictures; sum to 1, a share of 0 leaves a split empty.

    Raises:
        ValueError: lengths differ, there is no picture, or shares are negative or sum to another
            value.
    """
    if len(labels) != len(groups) or not len(labels):
        raise ValueError(f"{len(labels)} labels and {len(groups)} groups: as many, at least one")
    if min(shares.values(), default=-1.0) < 0 or abs(sum(shares.values()) - 1) > 1e-6:
        raise ValueError(f"shares {dict(shares)} must be 0 or more and sum to 1")
    classes = sorted(set(labels))
    column = {label: number for number, label in enumerate(classes)}
    counts: dict[str, NDArray[np.float64]] = {}
    for label, group in zip(labels, groups, strict=True):
        counts.setdefault(group, np.zeros(len(classes)))[column[label]] += 1
    splits = [name for name, share in shares.items() if share > 0]
    total = np.sum(list(counts.values()), axis=0)
    wanted = np.array([shares[name] for name in splits])[:, None] * total
    held = np.zeros_like(wanted)
    names = sorted(counts)
    order = np.random.default_rng(seed).permutation(len(names))
    placed: dict[str, str] = {}
    for number in sorted(order, key=lambda place: -counts[names[place]].sum()):
        pictures = counts[names[number]]
        missing = ((wanted - held) / np.maximum(wanted, 1e-12)) @ pictures
        chosen = int(np.argmax(missing))
        held[chosen] += pictures
        placed[names[number]] = splits[chosen]
    return [placed[group] for group in groups]


def split_counts(labels: Sequence[str], splits: Sequence[str]) -> dict[str, dict[str, int]]:
    """Pictures of each class in each split: split -> class -> number."""
    found = Counter(zip(splits, labels, strict=True))
    names, classes = sorted(set(splits)), sorted(set(labels))
    return {name: {label: found[name, label] for label in classes} for name in names}
