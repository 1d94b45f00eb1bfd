"""Groups by examination and by looks, and splits that keep them whole."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from endoalign.corpus.ent_groups import examination, picture_groups
from endoalign.corpus.ent_split import SHARES, grouped_split, split_counts
from endoalign.frames.hashing import hamming, phash_text


def far_hashes(n, seed=0):
    """Hashes of which any two differ in about half of their bits."""
    rng = np.random.default_rng(seed)
    return [phash_text(int(value)) for value in rng.integers(1, 2**63, n, dtype=np.uint64)]


def flipped(text, bits):
    value = int(text, 16)
    for bit in bits:
        value ^= 1 << bit
    return phash_text(value)


def naive_groups(told, hashes, most):
    """Connected parts by merging sets until nothing changes."""
    n = len(told)
    parts = [{k} for k in range(n)]

    def linked(a, b):
        by_name = told[a] is not None and told[a] == told[b]
        one, two = int(hashes[a], 16), int(hashes[b], 16)
        return by_name or (one != 0 and two != 0 and hamming(one, two) <= most)

    merged = True
    while merged:
        merged = False
        for one in parts:
            for other in parts:
                if one is not other and any(linked(a, b) for a in one for b in other):
                    one.update(other)
                    parts.remove(other)
                    merged = True
                    break
            if merged:
                break
    return {frozenset(part) for part in parts}


def as_parts(groups):
    return {frozenset(k for k, group in enumerate(groups) if group == name) for name in set(groups)}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("16082022_180056_image01.png", "16082022_180056"),
        ("images/16082022_180056_Image12.PNG", "16082022_180056"),
        ("Ab-image-3.jpg", "ab"),
        ("d8a4e2f0-7d0c-4b2e-9d7e-0f7f6a1c2b3d.png", None),
        ("image01.png", None),
        ("scan_images.png", None),
    ],
)
def test_examination_of_a_name(name, told):
    assert examination(name) == told


def test_names_of_the_users_own():
    assert examination("patient7-12.png", r"^(?P<examination>patient\d+)-") == "patient7"
    with pytest.raises(ValueError, match="group named examination"):
        examination("x", r"(\d+)")
    with pytest.raises(ValueError, match="no regular expression"):
        examination("x", "(")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["e1", "e2", None]), st.integers(0, 40)), max_size=14),
    st.integers(0, 12),
)
def test_groups_are_the_connected_parts(pictures, most):
    # hashes along a line: each differs from its neighbours in one bit
    hashes = [phash_text((1 << place) - 1) for _, place in pictures]
    told = [exam for exam, _ in pictures]
    names = [f"{exam}_image{k}.png" if exam else f"random{k}.png" for k, exam in enumerate(told)]
    found = picture_groups(names, hashes, max_distance=most)
    assert as_parts(found) == naive_groups(told, hashes, most)


def test_groups_are_named_after_their_first():
    one, other = far_hashes(2)
    names = ["z/u.png", "B_image1.png", "b_Image2.png", "v.png", "w.png"]
    hashes = [one, other, flipped(one, range(40)), flipped(one, [3]), flipped(other, [5, 6])]
    assert picture_groups(names, hashes, max_distance=4) == ["u", "b", "b", "u", "b"]


def test_a_picture_filed_under_two_examinations_joins_them():
    (one,) = far_hashes(1)
    found = picture_groups(["a_image1.png", "b_image1.png"], [one, one])
    assert found == ["a", "a"]


def test_black_pictures_are_like_no_other():
    assert len(set(picture_groups(["a.png", "b.png"], ["0" * 16] * 2))) == 2


def test_no_pictures_and_what_is_wrong():
    assert picture_groups([], []) == []
    with pytest.raises(ValueError, match="1 names for 0"):
        picture_groups(["a"], [])
    with pytest.raises(ValueError, match=r"a\.png: 'xyz' is no perceptual hash"):
        picture_groups(["a.png"], ["xyz"])
    with pytest.raises(ValueError, match="max_distance is 65"):
        picture_groups(["a.png"], ["0" * 16], max_distance=65)


def many(n=900, seed=0):
    """Groups of one to eight pictures, mostly of one class, as examinations are."""
    rng = np.random.default_rng(seed)
    labels, groups = [], []
    while len(labels) < n:
        label = str(rng.choice(["nose", "ear", "vc", "throat"], p=[0.5, 0.25, 0.2, 0.05]))
        group = f"g{len(labels)}"
        for _ in range(rng.integers(1, 9)):
            labels.append(label if rng.random() < 0.9 else "nose")
            groups.append(group)
    return labels, groups


@pytest.mark.parametrize("seed", range(4))
def test_groups_stay_whole_and_classes_in_proportion(seed):
    labels, groups = many(seed=seed)
    splits = grouped_split(labels, groups, seed=seed)
    where = {}
    for group, split in zip(groups, splits, strict=True):
        assert where.setdefault(group, split) == split
    counts = split_counts(labels, splits)
    for label in set(labels):
        every = labels.count(label)
        for split, share in SHARES.items():
            # at most about a group beside its share
            assert abs(counts[split][label] - share * every) <= 9, (split, label)


def test_the_seed_decides_and_equal_seeds_agree():
    labels, groups = many()
    first = grouped_split(labels, groups, seed=1)
    assert grouped_split(labels, groups, seed=1) == first
    assert grouped_split(labels, groups, seed=2) != first
    order = np.random.default_rng(0).permutation(len(labels))
    moved = grouped_split([labels[k] for k in order], [groups[k] for k in order], seed=1)
    assert moved == [first[k] for k in order]  # the order of the rows does not matter


def test_shares_of_ones_own():
    labels, groups = many(200)
    splits = grouped_split(labels, groups, shares={"train": 0.5, "test": 0.5, "none": 0.0}, seed=0)
    assert set(splits) == {"train", "test"}
    assert 0.4 < splits.count("train") / len(splits) < 0.6


def test_one_group_goes_where_most_is_wanted():
    assert grouped_split(["a", "b"], ["g", "g"], seed=0) == ["train", "train"]


@pytest.mark.parametrize(
    ("labels", "groups", "shares", "message"),
    [
        (["a"], [], SHARES, "1 labels and 0 groups"),
        ([], [], SHARES, "at least one"),
        (["a"], ["g"], {"train": 0.5}, "sum to 1"),
        (["a"], ["g"], {"train": 1.5, "test": -0.5}, "0 or more"),
        (["a"], ["g"], {}, "0 or more"),
    ],
)
def test_what_does_not_fit(labels, groups, shares, message):
    with pytest.raises(ValueError, match=message):
        grouped_split(labels, groups, shares=shares, seed=0)
