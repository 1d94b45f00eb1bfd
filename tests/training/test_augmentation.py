"""Crops and colours of whole batches against torchvision, picture by picture."""

import numpy as np
import pytest
import torch
from torchvision.transforms import RandomResizedCrop
from torchvision.transforms.functional import (
    InterpolationMode,
    adjust_brightness,
    adjust_saturation,
    resized_crop,
)

from endoalign.training.augmentation import (
    ATTEMPTS,
    Augmentation,
    crop_boxes,
    jittered,
    resized_crops,
)
from endoalign.training.chance import uniform


def pictures(n, side=20, seed=0):
    rng = np.random.default_rng(seed)
    return torch.from_numpy(rng.integers(0, 256, (n, 3, side, side), dtype=np.uint8))


def test_crops_equal_torchvisions():
    given = pictures(5).float()
    boxes = torch.tensor(
        [[0, 0, 20, 20], [1, 2, 19, 18], [3, 0, 7, 20], [5, 6, 1, 1], [2, 9, 18, 3]]
    )
    found = resized_crops(given, boxes)
    for one, box, result in zip(given, boxes.tolist(), found, strict=True):
        expected = resized_crop(one, *box, [20, 20], InterpolationMode.BILINEAR, antialias=False)
        torch.testing.assert_close(result, expected, rtol=0, atol=2e-3)
    torch.testing.assert_close(found[0], given[0], rtol=0, atol=2e-3)


@pytest.mark.parametrize("least", [0.9, 0.3])
def test_boxes_are_distributed_as_torchvisions(least):
    side, n = 64, 4000
    chances = uniform("crop", 0, 0, np.arange(n), 4 * ATTEMPTS)
    ours = crop_boxes(chances, side, least)
    torch.manual_seed(0)
    picture = torch.zeros(3, side, side)
    theirs = np.array(
        [RandomResizedCrop.get_params(picture, (least, 1.0), (3 / 4, 4 / 3)) for _ in range(n)]
    )
    assert (ours[:, :2] >= 0).all()
    assert (ours[:, 2:] >= 1).all()
    assert (ours[:, :2] + ours[:, 2:] <= side).all()
    whole = [(boxes[:, 2:] == side).all(axis=1).mean() for boxes in (ours, theirs)]
    assert whole[0] == pytest.approx(whole[1], abs=0.03)
    for quantile in (0.1, 0.5, 0.9):
        found, expected = (np.quantile(boxes, quantile, axis=0) for boxes in (ours, theirs))
        np.testing.assert_allclose(found, expected, atol=0.02 * side)


def test_depends_on_seed_epoch_and_pair_alone():
    given, items = pictures(6), np.array([3, 9, 4, 11, 0, 7])
    augmentation = Augmentation(min_crop=0.5, flip=True, colour_jitter=0.3)
    whole = augmentation.apply(given, seed=1, epoch=2, items=items)
    for place in range(6):
        one = slice(place, place + 1)
        alone = augmentation.apply(given[one], seed=1, epoch=2, items=items[one])
        torch.testing.assert_close(alone, whole[one], rtol=0, atol=1e-3)
    for seed, epoch in ((2, 2), (1, 3)):
        other = augmentation.apply(given, seed=seed, epoch=epoch, items=items)
        assert (other - whole).abs().max() > 10


def test_nothing_asked_for_leaves_the_pictures():
    given = pictures(2)
    found = Augmentation(min_crop=1.0).apply(given, seed=0, epoch=0, items=np.arange(2))
    assert torch.equal(found, given.float())


def test_flip_mirrors_about_half():
    given = pictures(400, side=4)
    augmentation = Augmentation(min_crop=1.0, flip=True)
    found = augmentation.apply(given, seed=0, epoch=0, items=np.arange(400))
    kept = (found == given.float()).flatten(1).all(dim=1)
    mirrored = (found == given.float().flip(-1)).flatten(1).all(dim=1)
    assert (kept ^ mirrored).all()
    assert 0.4 < mirrored.float().mean() < 0.6


def test_colours_change_as_in_torchvision():
    given = pictures(3).float()
    brighter = jittered(given, torch.tensor([[1.3, 1.0, 1.0]]).expand(3, 3))
    torch.testing.assert_close(brighter / 255, adjust_brightness(given / 255, 1.3))
    paler = jittered(given, torch.tensor([[1.0, 1.0, 0.4]]).expand(3, 3))
    # torchvision's grey weights have four decimals, ours the three of the standard
    torch.testing.assert_close(paler / 255, adjust_saturation(given / 255, 0.4), atol=2e-3, rtol=0)
    flat = jittered(given, torch.tensor([[1.0, 0.0, 0.0]]).expand(3, 3))
    assert flat.flatten(1).std(dim=1).max() < 1e-2


def test_chances_are_uniform_and_each_items_own():
    chances = uniform("a", 1, 2, np.arange(20000), 3)
    assert chances.min() >= 0
    assert chances.max() < 1
    np.testing.assert_allclose(chances.mean(axis=0), 0.5, atol=0.01)
    np.testing.assert_allclose(np.corrcoef(chances.T), np.eye(3), atol=0.03)
    neighbours = np.corrcoef(chances[:-1, 0], chances[1:, 0])[0, 1]
    assert abs(neighbours) < 0.03
    assert np.array_equal(uniform("a", 1, 2, np.array([77, 5]), 3), chances[[77, 5]])
    for purpose, seed, epoch in (("b", 1, 2), ("a", 2, 2), ("a", 1, 3)):
        assert not np.isin(uniform(purpose, seed, epoch, np.arange(50), 3), chances).any()
