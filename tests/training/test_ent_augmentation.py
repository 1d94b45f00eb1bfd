"""Augmentation of ENT pictures: who may be flipped, what is blurred, what is hidden."""

import numpy as np
import pytest
import torch
from scipy.ndimage import convolve

from endoalign.models.ent_prompts import load_classes
from endoalign.training.ent_augmentation import EntAugmentation, masked_cells
from endoalign.training.ent_blur import convolved, gaussian_kernels, motion_kernels
from endoalign.training.ent_settings import EntAugmentationSettings

NOTHING = {
    "motion_blur": 0.0,
    "gaussian_blur": 0.0,
    "colour_change": 0.0,
    "vertical_flip": "never",
    "horizontal_flip": "never",
    "mask_share": 0.0,
}
CLASSES = load_classes("entrep")
MIRROR = np.array(CLASSES.mirror)


def augmentation(fill=(0.0, 0.0, 0.0), mirror=CLASSES.mirror, **changes):
    return EntAugmentation(EntAugmentationSettings(**{**NOTHING, **changes}), mirror, fill)


def pictures(n, side=32, seed=0):
    rng = np.random.default_rng(seed)
    return torch.from_numpy(rng.integers(0, 256, (n, 3, side, side), dtype=np.uint8))


def applied(one, pixels, labels, seed=0, epoch=0):
    return one.apply(pixels, labels, seed=seed, epoch=epoch, items=np.arange(len(pixels)))


def test_nothing_asked_nothing_done():
    given = pictures(4)
    assert torch.equal(applied(augmentation(), given, np.zeros(4, dtype=np.int64)), given.float())


def test_no_lateral_class_is_ever_flipped():
    """Every class, many pictures and epochs, with the settings as they are by default."""
    one = EntAugmentation(EntAugmentationSettings(), CLASSES.mirror)
    items = np.arange(7000)
    labels = items % 7
    for seed in range(3):
        for epoch in range(5):
            across, _ = one.flips(labels, seed=seed, epoch=epoch, items=items)
            assert not across[~MIRROR[labels]].any()
            shares = [across[labels == label].mean() for label in np.flatnonzero(MIRROR)]
            np.testing.assert_allclose(shares, 0.5, atol=0.06)


def test_pixels_of_lateral_classes_keep_their_sides():
    """On the pixels themselves: left half dark, right half bright, every other step in force."""
    side = 32
    given = torch.zeros(700, 3, side, side, dtype=torch.uint8)
    given[..., side // 2 :] = 200
    labels = np.arange(700) % 7
    one = EntAugmentation(EntAugmentationSettings(mask_patch=8), CLASSES.mirror)
    found = applied(one, given, labels).mean(dim=(1, 2))
    turned = (found[:, : side // 2].mean(dim=1) > found[:, side // 2 :].mean(dim=1)).numpy()
    assert not turned[~MIRROR[labels]].any()
    assert 0.3 < turned[MIRROR[labels]].mean() < 0.7


def test_the_table_may_be_ignored_on_purpose():
    one = augmentation(horizontal_flip="every")
    items = np.arange(2000)
    across, down = one.flips(items % 7, seed=0, epoch=0, items=items)
    assert 0.45 < across[~MIRROR[items % 7]].mean() < 0.55
    assert not down.any()


@pytest.mark.parametrize("which", ["every", "mirror_table", "never"])
def test_vertical_flips(which):
    one = augmentation(vertical_flip=which)
    items = np.arange(3500)
    labels = items % 7
    across, down = one.flips(labels, seed=0, epoch=0, items=items)
    assert not across.any()
    expected = {"every": [0.5, 0.5], "mirror_table": [0.5, 0.0], "never": [0.0, 0.0]}[which]
    shares = [down[MIRROR[labels]].mean(), down[~MIRROR[labels]].mean()]
    np.testing.assert_allclose(shares, expected, atol=0.05)


def test_flipped_pixels_are_the_mirror_image():
    given = pictures(40)
    labels = np.full(40, CLASSES.ids(["throat"])[0])
    one = augmentation(vertical_flip="every", horizontal_flip="mirror_table")
    across, down = one.flips(labels, seed=0, epoch=0, items=np.arange(40))
    found = applied(one, given, labels)
    for picture, mirrored, turned, result in zip(given, across, down, found, strict=True):
        expected = picture.numpy().astype(np.float32)
        expected = expected[:, :, ::-1] if mirrored else expected
        expected = expected[:, ::-1] if turned else expected
        np.testing.assert_array_equal(result.numpy(), expected)
    assert len({(bool(a), bool(d)) for a, d in zip(across, down, strict=True)}) == 4


@pytest.mark.parametrize(("side", "patch", "hidden"), [(224, 16, 20), (64, 8, 6), (30, 8, 1)])
def test_about_a_tenth_of_the_patches_is_hidden(side, patch, hidden):
    given = pictures(6, side) // 2 + 1  # nowhere 0
    one = augmentation(mask_share=0.1, mask_patch=patch, fill=(250.0, 251.0, 252.0))
    found = applied(one, given, np.zeros(6, dtype=np.int64))
    places = set()
    for before, after in zip(given.float(), found, strict=True):
        cells = 0
        for top in range(0, side - patch + 1, patch):
            for left in range(0, side - patch + 1, patch):
                cell = (slice(None), slice(top, top + patch), slice(left, left + patch))
                filled = torch.tensor([250.0, 251.0, 252.0])[:, None, None].expand(3, patch, patch)
                if torch.equal(after[cell], filled):
                    cells += 1
                    before[cell] = filled
                    places.add((top, left))
        assert cells == hidden
        assert torch.equal(before, after)  # and nothing else, the rest beyond the grid included
    assert len(places) > hidden  # each picture has its own


def test_every_cell_is_hidden_equally_often():
    chances = torch.rand(6000, 25, generator=torch.Generator().manual_seed(0))
    counts = masked_cells(chances, 0.2).sum(dim=0)
    assert (masked_cells(chances, 0.2).sum(dim=1) == 5).all()
    assert (counts - 1200).abs().max() < 5 * (6000 * 0.2 * 0.8) ** 0.5


def test_patches_larger_than_the_picture():
    with pytest.raises(ValueError, match="mask_patch 64 is larger than the picture, 32 pixels"):
        applied(augmentation(mask_share=0.1, mask_patch=64), pictures(1), np.zeros(1, np.int64))


def test_motion_is_a_line_of_its_length_and_direction():
    angles = torch.tensor([0.0, torch.pi / 2, torch.pi / 4, 1.0])
    lengths = torch.tensor([5.0, 5.0, 4.0, 0.0])
    kernels = motion_kernels(angles, lengths, 4)
    torch.testing.assert_close(kernels.sum(dim=(1, 2)), torch.ones(4))
    across, down = kernels[0].sum(dim=0), kernels[0].sum(dim=1)
    assert float(down[4]) == pytest.approx(1.0)  # all in one row
    assert (across[2:7] > 0.15).all() and float(across[:1].sum() + across[8:].sum()) == 0
    torch.testing.assert_close(kernels[1], kernels[0].T)
    torch.testing.assert_close(kernels[2], kernels[2].T, atol=1e-6, rtol=0)
    still = torch.zeros(9, 9)
    still[4, 4] = 1
    torch.testing.assert_close(kernels[3], still)


def test_motion_has_the_variance_of_a_straight_line():
    kernels = motion_kernels(torch.tensor([0.3]), torch.tensor([12.0]), 8)
    offset = torch.arange(17) - 8.0
    along = (
        torch.cos(torch.tensor(0.3)) * offset[None, :]
        + torch.sin(torch.tensor(0.3)) * offset[:, None]
    )
    variance = float((kernels[0] * along**2).sum())
    assert variance == pytest.approx(12.0**2 / 12, rel=0.12)


def test_gaussian_kernels():
    sigmas = torch.tensor([0.0, 1.0, 1.5])
    kernels = gaussian_kernels(sigmas, 6)
    offset = np.arange(-6, 7)
    for sigma, kernel in zip(sigmas.tolist(), kernels.numpy(), strict=True):
        if sigma == 0:
            assert kernel[6, 6] == pytest.approx(1.0)
            continue
        line = np.exp(-0.5 * (offset / sigma) ** 2)
        expected = np.outer(line, line) / line.sum() ** 2
        np.testing.assert_allclose(kernel, expected, rtol=1e-5, atol=1e-8)


def test_each_picture_is_convolved_with_its_own_kernel():
    generator = torch.Generator().manual_seed(0)
    given = torch.rand(3, 3, 12, 10, generator=generator)
    kernels = torch.rand(3, 5, 5, generator=generator)
    found = convolved(given, kernels)
    for picture, kernel, result in zip(given, kernels, found, strict=True):
        for channel in range(3):
            flipped = kernel.numpy()[::-1, ::-1]  # a correlation, as layers have it
            expected = convolve(picture[channel].numpy(), flipped, mode="nearest")
            np.testing.assert_allclose(result[channel].numpy(), expected, rtol=1e-4, atol=1e-5)


def test_blurs_come_as_often_as_asked_and_keep_the_mean():
    given = pictures(400)
    labels = np.zeros(400, dtype=np.int64)
    for kind in ("motion_blur", "gaussian_blur"):
        found = applied(augmentation(**{kind: 0.3}, blur_extent=0.1), given, labels)
        softened = (found - given.float()).abs().amax(dim=(1, 2, 3)) > 1.0
        assert 0.2 < softened.float().mean() < 0.36  # a few are too weak to show
        torch.testing.assert_close(found.mean(), given.float().mean(), rtol=0.01, atol=0)
        assert torch.isfinite(found).all()
        assert float(found.min()) >= 0 and float(found.max()) <= 255.01


def test_the_same_item_is_augmented_alike_whatever_its_batch():
    one = EntAugmentation(EntAugmentationSettings(mask_patch=8), CLASSES.mirror)
    given = pictures(9)
    labels, items = np.arange(9) % 7, np.arange(9)
    whole = one.apply(given, labels, seed=3, epoch=2, items=items)
    part = one.apply(given[4:7], labels[4:7], seed=3, epoch=2, items=items[4:7])
    torch.testing.assert_close(part, whole[4:7], rtol=0, atol=1e-3)
    other = one.apply(given, labels, seed=3, epoch=3, items=items)
    assert (other - whole).abs().amax(dim=(1, 2, 3)).gt(1).all()


def test_the_whole_keeps_its_range():
    found = applied(
        EntAugmentation(EntAugmentationSettings(mask_patch=8), CLASSES.mirror),
        pictures(50),
        np.arange(50) % 7,
    )
    assert found.dtype == torch.float32
    assert found.shape == (50, 3, 32, 32)
    assert float(found.min()) >= 0 and float(found.max()) <= 255.01
