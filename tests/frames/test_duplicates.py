import time

import numpy as np
import pytest

from endoalign.frames.duplicates import mark_duplicates


def _naive(frame_ids, case_ids, sha256s, phashes, max_distance, within):
    """Oracle: compare every frame with every kept one."""
    rows = sorted(zip(frame_ids, case_ids, sha256s, phashes, strict=True))
    found = {}
    for place, (frame, case, sha, value) in enumerate(rows):
        found[frame] = None
        for earlier, _, earlier_sha, _ in rows[:place]:
            if earlier_sha == sha:
                found[frame] = found[earlier] or earlier
                break
        if found[frame] is not None or int(value, 16) == 0:
            continue
        for earlier, earlier_case, _, earlier_value in rows[:place]:
            distance = bin(int(value, 16) ^ int(earlier_value, 16)).count("1")
            near = distance <= max_distance and int(earlier_value, 16) != 0
            if (
                near
                and found[earlier] is None
                and within in ("corpus", case_scope(case, earlier_case))
            ):
                found[frame] = earlier
                break
    return [found[frame] for frame in frame_ids]


def case_scope(case, other):
    return "case" if case == other else "neither"


def _frames(seed, count=160):
    """Clusters of hashes a few bits apart, some repeated bytes, some without structure."""
    rng = np.random.default_rng(seed)
    centres = [int(value) for value in rng.integers(1, 2**63, 12)]
    ids = [f"c{rng.integers(4)}/f{k}" for k in range(count)]
    values = []
    for _ in range(count):
        value = centres[rng.integers(12)]
        for bit in rng.integers(0, 64, rng.integers(0, 7)):
            value ^= 1 << int(bit)
        values.append(0 if rng.random() < 0.1 else value)
    shas = [f"{rng.integers(count * 3)}-{value}" for value in values]
    order = rng.permutation(count)
    return (
        [ids[k] for k in order],
        [ids[k].split("/")[0] for k in order],
        [shas[k] for k in order],
        [f"{values[k]:016x}" for k in order],
    )


@pytest.mark.parametrize("within", ["case", "corpus"])
@pytest.mark.parametrize("max_distance", [0, 1, 4, 9, 15])
def test_equals_comparing_all_with_all(max_distance, within):
    for seed in range(4):
        frames = _frames(seed)
        found = mark_duplicates(*frames, max_distance=max_distance, within=within)
        assert found == _naive(*frames, max_distance, within)
        assert any(found)


def test_named_frames_are_kept_and_earlier():
    frames = _frames(9)
    found = dict(zip(frames[0], mark_duplicates(*frames, within="corpus"), strict=True))
    for frame, original in found.items():
        if original is not None:
            assert found[original] is None
            assert original < frame


def test_a_slow_pan_is_thinned_out_not_chained():
    values = [f"{(1 << k) - 1:016x}" for k in range(1, 13)]  # each a bit from the last
    ids = [f"c/{k:02d}" for k in range(12)]
    found = mark_duplicates(ids, ["c"] * 12, ids, values, max_distance=3)
    assert [k for k, original in enumerate(found) if original is None] == [0, 4, 8]


def test_exact_duplicates_cross_cases_even_where_near_ones_do_not():
    ids, cases = ["a/1", "b/1", "b/2"], ["a", "b", "b"]
    found = mark_duplicates(ids, cases, ["x", "x", "y"], ["00000000000000ff"] * 3)
    assert found == [None, "a/1", None]


def test_frames_without_structure_are_compared_by_bytes_only():
    ids = ["a/1", "a/2", "a/3"]
    found = mark_duplicates(ids, ["a"] * 3, ["x", "y", "x"], ["0" * 16] * 3, within="corpus")
    assert found == [None, None, "a/1"]


def test_empty_and_one():
    assert mark_duplicates([], [], [], []) == []
    assert mark_duplicates(["a/1"], ["a"], ["x"], ["0" * 15 + "1"]) == [None]


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="differ in length"):
        mark_duplicates(["a"], [], ["x"], ["0"])
    with pytest.raises(ValueError, match="given twice"):
        mark_duplicates(["a", "a"], ["c", "c"], ["x", "y"], ["0", "1"])
    for distance in (-1, 16):
        with pytest.raises(ValueError, match=r"not within 0\.\.15"):
            mark_duplicates([], [], [], [], max_distance=distance)


def test_many_alike_frames_take_no_quadratic_time():
    count = 20_000
    rng = np.random.default_rng(0)
    flips = rng.integers(0, 64, (count, 6))
    values = [0x123456789ABCDEF0 ^ sum({1 << int(bit) for bit in row}) for row in flips]
    ids = [f"c/{k:06d}" for k in range(count)]
    start = time.process_time()
    found = mark_duplicates(ids, ["c"] * count, ids, [f"{value:016x}" for value in values])
    assert time.process_time() - start < 15
    assert sum(original is not None for original in found) > count // 4
