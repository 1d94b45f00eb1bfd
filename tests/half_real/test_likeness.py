import numpy as np
import pytest
from scipy import ndimage

from endoalign.half_real.likeness import SHIFT, SIDE, TEXT, detail, groups_of, near_pairs
from endoalign.half_real.picture import Picture


def scene(seed, shift=(0, 0)):
    noise = np.random.default_rng(seed).normal(size=(320, 320))
    relief = ndimage.gaussian_filter(noise, 6)
    relief = 120 + 25 * relief / relief.std()
    part = relief[20 + shift[0] : 276 + shift[0], 20 + shift[1] : 276 + shift[1]]
    rgb = np.clip(part, 0, 255).astype(np.uint8)[..., None].repeat(3, axis=2)
    return Picture(rgb, np.ones((256, 256), bool), np.zeros((256, 256), bool))


def test_the_same_scene_moved_a_little_is_found():
    pictures = [scene(1), scene(2), scene(1, (16, 12)), scene(3)]
    assert near_pairs([detail(p) for p in pictures], 0.55) == [(0, 2)]


def test_correlation_is_the_best_over_shifts():
    a, b = detail(scene(1)), detail(scene(1, (8, 4)))
    best = max(
        float((padded(a, dy, dx) * padded(b, 0, 0)).sum())
        for dy in range(-SHIFT, SHIFT + 1)
        for dx in range(-SHIFT, SHIFT + 1)
    )
    assert near_pairs([a, b], best - 1e-4) == [(0, 1)]
    assert near_pairs([a, b], best + 1e-4) == []


def padded(plane, dy, dx):
    whole = np.zeros((SIDE + 2 * SHIFT, SIDE + 2 * SHIFT))
    whole[SHIFT + dy : SHIFT + dy + SIDE, SHIFT + dx : SHIFT + dx + SIDE] = plane
    return whole


def test_brightness_text_and_surround_do_not_count():
    plain = scene(1)
    content = np.zeros((256, 256), bool)
    content[:, :] = True
    content[:40, :40] = False
    marked = plain.rgb // 2 + 60
    marked[100:120, 4:40] = 255  # burnt in, left of TEXT
    marked[~content] = 0
    other = Picture(marked, content, plain.polyp)
    assert TEXT * 256 / SIDE > 40
    assert near_pairs([detail(plain), detail(other)], 0.85) == [(0, 1)]


def test_frames_without_relief_are_near_nothing():
    grey = Picture(
        np.full((64, 64, 3), 90, np.uint8), np.ones((64, 64), bool), np.zeros((64, 64), bool)
    )
    flat = detail(grey)
    assert not flat.any()
    assert near_pairs([flat, flat], 0.1) == []
    assert near_pairs([], 0.5) == [] and near_pairs([flat], 0.5) == []


@pytest.mark.parametrize(
    ("pairs", "groups"),
    [
        ([], [[0], [1], [2], [3], [4]]),
        ([(0, 2), (2, 4)], [[0, 2, 4], [1], [3]]),
        ([(1, 2), (0, 3), (2, 3)], [[0, 1, 2, 3], [4]]),
    ],
)
def test_pairs_chain_into_groups(pairs, groups):
    assert groups_of(5, pairs) == groups
