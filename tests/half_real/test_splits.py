from collections import Counter
from pathlib import Path

import numpy as np

from endoalign.half_real.sources import SourceImage
from endoalign.half_real.splits import SHARES, assign_splits
from endoalign.vocabulary import SPLITS


def sources(polyps, normals, held_out=()):
    return [
        *(SourceImage(f"p{k}", Path(), Path(), k in held_out) for k in range(polyps)),
        *(SourceImage(f"n{k}", Path()) for k in range(normals)),
    ]


def test_shares_are_met_for_polyps_and_normals_apart():
    some = sources(200, 50, held_out=range(30))
    split = assign_splits(some, [[k] for k in range(250)], np.random.default_rng(0))
    for total, part in ((200, split[:200]), (50, split[200:])):
        counts = Counter(part)
        for name, share in zip(SPLITS, SHARES, strict=True):
            assert abs(counts[name] - share * total) <= 1


def test_held_out_frames_and_those_like_them_stay_out_of_training():
    some = sources(60, 10, held_out={0, 5, 9})
    groups = [[0, 20, 21], [5, 65], *([k] for k in range(70) if k not in {0, 20, 21, 5, 65})]
    split = assign_splits(some, groups, np.random.default_rng(1))
    assert "train" not in {split[k] for k in (0, 20, 21, 5, 65, 9)}
    assert split[0] == split[20] == split[21] and split[5] == split[65]
    assert set(split) == set(SPLITS)


def test_the_same_seed_splits_alike_and_another_otherwise():
    some, groups = sources(40, 10), [[k] for k in range(50)]
    first, again, other = (assign_splits(some, groups, np.random.default_rng(s)) for s in (0, 0, 1))
    assert first == again != other


def test_one_frame_and_none():
    assert assign_splits(sources(1, 0), [[0]], np.random.default_rng(0)) == ["train"]
    assert assign_splits([], [], np.random.default_rng(0)) == []
