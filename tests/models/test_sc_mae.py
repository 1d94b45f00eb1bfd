"""Masking and decoding: every kept patch stands at its own place, prefix tokens at none."""

import numpy as np
import pytest
import timm
import torch

from endoalign.models.patches import cut, hidden_mask, join, put_back, visible_patches
from endoalign.models.sc_mae import (
    MaskedDecoder,
    encode_visible,
    patch_side,
    reconstruct,
    sine_places,
)

SIDE, PATCH, GRID, WIDTH = 32, 8, 4, 24
COUNT = GRID * GRID


def tower(**changes):
    torch.manual_seed(0)
    given = {"img_size": SIDE, "patch_size": PATCH, "embed_dim": WIDTH, "depth": 2, "num_heads": 2}
    model = timm.create_model("vit_tiny_patch16_224", num_classes=0, **{**given, **changes})
    return model.eval()


TOWERS = {
    "class token": {},
    "registers": {"reg_tokens": 4},
    "registers without places": {"reg_tokens": 4, "no_embed_class": True},
    "no prefix": {"class_token": False, "global_pool": "avg"},
}


def pictures(count=3, side=SIDE, seed=0):
    return torch.randn(count, 3, side, side, generator=torch.Generator().manual_seed(seed))


def chances(count=3, seed=1):
    return torch.rand(count, COUNT, generator=torch.Generator().manual_seed(seed))


def test_patches_are_cut_row_by_row_and_joined_again():
    images = pictures()
    patches = cut(images, PATCH)
    assert patches.shape == (3, COUNT, PATCH * PATCH * 3)
    one = images[1, :, 8:16, 24:32]  # second row, fourth column
    assert torch.equal(patches[1, 1 * GRID + 3], one.permute(1, 2, 0).flatten())
    assert torch.equal(join(patches, PATCH, SIDE), images)
    with pytest.raises(ValueError, match="do not divide into patches of 7"):
        cut(images, 7)


@pytest.mark.parametrize("ratio", [0.75, 0.5, 0.1])
def test_the_share_that_is_hidden(ratio):
    visible = visible_patches(chances(), ratio)
    hidden = hidden_mask(visible, COUNT)
    assert hidden.sum(dim=1).tolist() == [round(ratio * COUNT)] * 3
    for row in range(3):
        lowest = np.argsort(chances()[row].numpy(), kind="stable")[: visible.shape[1]]
        assert visible[row].tolist() == sorted(lowest.tolist())
        assert not hidden[row, visible[row]].any()


def test_masks_that_hide_nothing_or_everything_are_refused():
    for ratio in (0.0, 0.01, 0.99, 1.0):
        with pytest.raises(ValueError, match="at least one must be hidden and one visible"):
            visible_patches(chances(), ratio)


@pytest.mark.parametrize("name", TOWERS)
def test_identity_tokens_stand_at_their_own_places(name):
    """A tower whose tokens are the numbers of their patches: each number comes back at its place.

    With prefix tokens in the grid every token would stand one place (or more) too late.
    """
    model = tower(**TOWERS[name])
    prefix = model.num_prefix_tokens
    numbers = torch.arange(float(COUNT))[None, :, None].expand(2, COUNT, WIDTH)
    model.patch_embed = torch.nn.Identity()
    model._pos_embed = lambda x: torch.cat([x.new_full((2, prefix, WIDTH), -7.0), x], dim=1)
    model.norm_pre = model.blocks = model.norm = torch.nn.Identity()
    visible = visible_patches(chances(2), 0.75)
    tokens = encode_visible(model, numbers, visible)
    whole = put_back(tokens, visible, torch.full((WIDTH,), -1.0), COUNT)
    for row in range(2):
        for place in range(COUNT):
            expected = place if place in visible[row].tolist() else -1
            assert whole[row, place].tolist() == [expected] * WIDTH


@pytest.mark.parametrize("name", TOWERS)
def test_a_kept_token_is_that_of_its_patch_and_its_place(name):
    """Without blocks a token is its patch's embedding plus its place's, as in the whole tower."""
    model = tower(**TOWERS[name])
    model.blocks = torch.nn.Sequential()
    images, visible = pictures(), visible_patches(chances(), 0.75)
    whole = model.forward_features(images)[:, model.num_prefix_tokens :]
    found = encode_visible(model, images, visible)
    for row in range(3):
        torch.testing.assert_close(found[row], whole[row, visible[row]], rtol=0, atol=1e-6)


def test_with_all_patches_visible_it_is_the_whole_tower():
    model = tower(reg_tokens=4)
    images = pictures()
    everything = torch.arange(COUNT).expand(3, COUNT)
    found = encode_visible(model, images, everything)
    expected = model.forward_features(images)[:, model.num_prefix_tokens :]
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-6)


def decoder():
    torch.manual_seed(1)
    return MaskedDecoder(WIDTH, (GRID, GRID), 3 * PATCH * PATCH, width=16, depth=1, heads=2)


def test_what_is_hidden_has_no_influence():
    model, given = tower(), chances()
    images = pictures()
    plain = reconstruct(model, decoder(), images, given)
    patches = cut(images, PATCH)
    patches[plain.is_masked] += 5
    changed = reconstruct(model, decoder(), join(patches, PATCH, SIDE), given)
    assert torch.equal(plain.predicted, changed.predicted)
    assert not torch.equal(plain.patches, changed.patches)
    patches[~plain.is_masked] += 5
    seen = reconstruct(model, decoder(), join(patches, PATCH, SIDE), given)
    assert (seen.predicted - plain.predicted).abs().max() > 1e-3


def test_permuting_frames_permutes_the_reconstruction():
    model, order = tower(), torch.tensor([2, 0, 1])
    plain = reconstruct(model, decoder(), pictures(), chances())
    moved = reconstruct(model, decoder(), pictures()[order], chances()[order])
    torch.testing.assert_close(moved.predicted, plain.predicted[order], rtol=0, atol=1e-6)
    assert torch.equal(moved.is_masked, plain.is_masked[order])


def test_gradients_reach_tower_decoder_and_mask_token():
    model, pixels = tower(), decoder()
    reconstruct(model, pixels, pictures(), chances()).predicted.square().mean().backward()
    for name, parameter in [*model.named_parameters(), *pixels.named_parameters()]:
        assert parameter.grad is not None and parameter.grad.abs().max() > 0, name


def test_places_tell_rows_and_columns_apart():
    places = sine_places((3, 5), 16)
    assert places.shape == (15, 16)
    assert len(torch.unique(places, dim=0)) == 15
    grid = places.view(3, 5, 16)
    assert torch.equal(grid[0, :, :8], grid[2, :, :8])
    assert torch.equal(grid[:, 1, 8:], grid[:, 4, 8:])
    column, rate = 3, 10_000 ** (-2 / 4)
    assert grid[1, column, 2].item() == pytest.approx(np.sin(column * rate), abs=1e-6)
    assert grid[1, column, 4 + 2].item() == pytest.approx(np.cos(column * rate), abs=1e-6)
    assert grid[2, column, 8 + 1].item() == pytest.approx(np.sin(2 * 10_000 ** (-1 / 4)), abs=1e-6)


def test_unfit_input_is_named():
    visible = visible_patches(chances(), 0.75)
    tokens = torch.zeros(3, visible.shape[1] + 1, WIDTH)
    with pytest.raises(ValueError, match="prefix tokens have no place"):
        put_back(tokens, visible, torch.zeros(WIDTH), COUNT)
    with pytest.raises(ValueError, match="decoder_width 18 must be a multiple of 4"):
        MaskedDecoder(WIDTH, (GRID, GRID), 192, width=18, heads=2)
    assert patch_side(tower()) == PATCH
    with pytest.raises(ValueError, match="patches must be square, this tower has 8 x 4"):
        patch_side(tower(patch_size=(8, 4)))
