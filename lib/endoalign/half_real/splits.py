"""Real frames are shared out to train, validation and test before any case is made of them."""

from typing import Final

import numpy as np

from endoalign.half_real.sources import SourceImage
from endoalign.vocabulary import SPLITS

SHARES: Final = (0.7, 0.1, 0.2)
"""Of the frames, to each of `endoalign.vocabulary.SPLITS`."""


def assign_splits(
    sources: list[SourceImage], groups: list[list[int]], rng: np.random.Generator
) -> list[str]:
    """Return the split of each source; the frames of a group stay together.

    Groups with a held-out frame never enter training. Each group goes where its frames (polyps and
    normals counted apart) are furthest below their share; groups with held-out frames go first,
    larger ones before smaller, so that the shares come out closely.
    """
    kinds = np.array([source.mask is None for source in sources], dtype=np.int64)
    totals = np.bincount(kinds, minlength=2)
    have = np.zeros((len(SPLITS), 2))
    split = [""] * len(sources)
    shuffled = [groups[k] for k in rng.permutation(len(groups))]
    for group in sorted(shuffled, key=lambda g: (not _held_out(sources, g), -len(g))):
        weight = np.bincount(kinds[group], minlength=2)
        lacking = np.outer(SHARES, totals) - have
        need = (lacking * weight).sum(axis=1) / np.array(SHARES)
        if _held_out(sources, group):
            need[SPLITS.index("train")] = -np.inf
        best = int(need.argmax())
        have[best] += weight
        for member in group:
            split[member] = SPLITS[best]
    return split


def _held_out(sources: list[SourceImage], group: list[int]) -> bool:
    return any(sources[member].held_out for member in group)
